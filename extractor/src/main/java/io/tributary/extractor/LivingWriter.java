package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/**
 * Finds another node that writes heartbeat rounds to the shards now: two of them end each other. It writes nothing, and it blocks: for two
 * seconds or three of the other's intervals on a shard that another node has written to last, else for no time.
 */
public final class LivingWriter {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final Duration LEAST_WATCH = Duration.ofSeconds(2);
    private static final Duration MOST_WATCH = Duration.ofSeconds(60);
    private static final int INTERVALS = 3;
    /** Changes nothing; between two looks. */
    private static final String PAUSE = "DO SLEEP(0.1)";

    private static final int SECONDS_TO_MICROS = 1_000_000;

    private final MysqlClient client;
    private final UUID own;
    private final boolean isUnknownOther;

    /**
     * @param own the author's id of the node that is to start
     * @param isUnknownOther whether rounds of nobody who has said who it is are another node's; in a cluster they are not, since a node of an
     *     earlier version says nothing
     */
    public LivingWriter(MysqlClient client, UUID own, boolean isUnknownOther) {
        this.client = client;
        this.own = own;
        this.isUnknownOther = isUnknownOther;
    }

    /**
     * Refuses the shards of another node that is alive. A shard that does not answer tells nothing, and is left to those who need it.
     *
     * @throws TributaryException SHARDS_IN_USE
     */
    public void requireNone(Map<String, ShardConfig> shards) {
        shards.forEach((name, config) -> {
            try (MysqlConnection connection = client.connect(config.endpoint()).join()) {
                requireNone(name, connection);
            } catch (CompletionException | MysqlServerError e) { // what is wrong with the shard is told by its check
                ShardErrors.logUnasked(name, e);
            }
        });
    }

    private void requireNone(String shard, MysqlConnection connection) {
        QueryResult first = row(connection);
        Author author = first.isEmpty() ? null : author(connection);
        if (first.isEmpty() || own.toString().equals(author.id) || author.id.isEmpty() && !isUnknownOther) {
            return;
        }
        long until = Clock.SYSTEM.nanoTime() + author.watch().toNanos();
        String last = text(first);
        int changes = 0;
        while (Clock.SYSTEM.nanoTime() - until < 0) {
            connection.query(PAUSE, ANSWER_WITHIN);
            String now = text(row(connection));
            changes += now.equals(last) ? 0 : 1;
            last = now;
            if (changes > 1) { // one may have been on its way when its writer ended
                throw new TributaryException(
                        ErrorCode.SHARDS_IN_USE,
                        "shard " + shard + ": expected no other node that writes heartbeat rounds, found those of "
                                + author
                                + "; stop that node, or take its shards from it with tributary start --takeover,"
                                + " which ends it");
            }
        }
    }

    private static QueryResult row(MysqlConnection connection) {
        return connection.query(HeartbeatTable.SELECT_ROW, ANSWER_WITHIN);
    }

    private static String text(QueryResult row) {
        return row.isEmpty()
                ? ""
                : row.rows().get(0).text(0) + " " + row.rows().get(0).text(1) + " "
                        + row.rows().get(0).text(2);
    }

    /**
     * Who has taken the shard over last.
     *
     * @param id empty for not known
     */
    private record Author(String id, String place, Instant since, Duration interval) {
        Duration watch() {
            Duration some = interval.multipliedBy(INTERVALS);
            return some.compareTo(LEAST_WATCH) < 0 ? LEAST_WATCH : some.compareTo(MOST_WATCH) > 0 ? MOST_WATCH : some;
        }

        @Override
        public String toString() {
            return id.isEmpty()
                    ? "a node that has not said who it is"
                    : "node " + id + " (" + place + "), which has had the shard since " + since;
        }
    }

    private static Author author(MysqlConnection connection) {
        try {
            QueryResult found = connection.query(HeartbeatTable.SELECT_AUTHOR, ANSWER_WITHIN);
            if (!found.isEmpty()) {
                QueryResult.Row row = found.rows().get(0);
                long since = Long.parseLong(row.text(2));
                return new Author(
                        row.text(0),
                        row.text(1),
                        Instant.ofEpochSecond(since / SECONDS_TO_MICROS).truncatedTo(ChronoUnit.SECONDS),
                        Duration.of(Long.parseLong(row.text(3)), ChronoUnit.MICROS));
            }
        } catch (MysqlServerError e) {
            if (!ShardErrors.isMissingTable(e) && !ShardErrors.isDenied(e)) {
                throw e;
            }
        }
        return new Author("", "", Instant.EPOCH, Duration.ZERO);
    }
}
