package io.tributary.extractor.check;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The check for another node that writes heartbeat rounds to the shards now: two such nodes end each other. It writes nothing. It blocks if
 * the last writer of a shard was another node: for two seconds, or three intervals of that node if these are longer.
 */
public final class ActiveWriterCheck {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final Duration LEAST_WATCH = Duration.ofSeconds(2);
    private static final Duration MOST_WATCH = Duration.ofSeconds(60);
    private static final int INTERVALS = 3;
    /** The pause between two reads; it changes nothing. */
    private static final String PAUSE = "DO SLEEP(0.1)";

    private static final int SECONDS_TO_MICROS = 1_000_000;

    private final MysqlClient client;
    private final UUID own;
    private final boolean isUnknownOther;

    /**
     * @param own the author id of the node that starts
     * @param isUnknownOther whether rounds without an author count as rounds of another node; false in a cluster, because a node of an earlier
     *     version records no author
     */
    public ActiveWriterCheck(MysqlClient client, UUID own, boolean isUnknownOther) {
        this.client = client;
        this.own = own;
        this.isUnknownOther = isUnknownOther;
    }

    /**
     * Refuses shards to which another live node writes. A shard that does not answer is ignored here: its own check reports it.
     *
     * @throws TributaryException SHARDS_IN_USE, for the first such shard in the order of the map
     */
    public void requireNone(Map<String, ShardConfig> shards) {
        find(shards).forEach((name, writer) -> {
            throw new TributaryException(
                    ErrorCode.SHARDS_IN_USE,
                    "shard " + name + ": expected no other node that writes heartbeat rounds, found those of " + writer
                            + "; stop that node, or take over its shards with tributary start --takeover,"
                            + " which ends that node");
        });
    }

    /**
     * Checks all shards at the same time, each at its first server that answers. It takes as long as the slowest shard.
     *
     * @param shards by name
     * @return a text about the other writer, by the name of the shard; without the shards that have no other writer
     */
    public Map<String, String> find(Map<String, ShardConfig> shards) {
        Map<String, CompletableFuture<MysqlConnection>> connecting = new LinkedHashMap<>();
        shards.forEach((name, config) -> connecting.put(name, connect(config)));
        List<Watch> watches = new ArrayList<>();
        Map<String, String> found = new LinkedHashMap<>();
        try {
            connecting.forEach((name, connected) -> begin(name, connected).ifPresent(watches::add));
            List<Watch> open = new ArrayList<>(watches);
            while (!open.isEmpty()) {
                open.forEach(Watch::pause);
                open.removeIf(watch -> !watch.check());
            }
            watches.stream().filter(Watch::isAlive).forEach(watch -> found.put(watch.shard, watch.author.toString()));
        } finally {
            connecting.values().forEach(connected -> {
                var unused = connected.thenAccept(MysqlConnection::close);
            });
        }
        return found;
    }

    private CompletableFuture<MysqlConnection> connect(ShardConfig shard) {
        ShardConfig config = shard.forRounds();
        CompletableFuture<MysqlConnection> connecting = client.connect(config.endpoint());
        for (HostPort standby : config.servers().standby()) {
            connecting = connecting.exceptionallyCompose(
                    failure -> client.connect(config.at(standby).endpoint()));
        }
        return connecting;
    }

    /** Empty if no other node has ever written, or the shard does not answer. */
    private Optional<Watch> begin(String shard, CompletableFuture<MysqlConnection> connecting) {
        try {
            MysqlConnection connection = connecting.join();
            QueryResult first = row(connection);
            if (first.isEmpty()) {
                return Optional.empty();
            }
            Author author = author(connection);
            boolean isOwn = own.toString().equals(author.id) || author.id.isEmpty() && !isUnknownOther;
            return isOwn ? Optional.empty() : Optional.of(new Watch(shard, connection, author, text(first)));
        } catch (CompletionException | MysqlServerError | TributaryException e) { // reported by the shard's own check
            ShardErrors.logUnanswered(shard, e);
            return Optional.empty();
        }
    }

    /** Reads the rounds of one shard repeatedly, long enough for its writer to write several of them. */
    private static final class Watch {
        private final String shard;
        private final MysqlConnection connection;
        private final Author author;
        private final long until;
        private String last;
        private int changes;
        private CompletableFuture<QueryResult> pausing;

        Watch(String shard, MysqlConnection connection, Author author, String first) {
            this.shard = shard;
            this.connection = connection;
            this.author = author;
            this.until = Clock.SYSTEM.nanoTime() + author.watch().toNanos();
            this.last = first;
        }

        /** Begins the pause between two reads; the pauses of all shards run at the same time. */
        void pause() {
            pausing = connection.query(PAUSE);
        }

        /** Reads the row again; false if the result is final. */
        boolean check() {
            try {
                var unused = connection.await(pausing, ANSWER_WITHIN);
                String now = text(row(connection));
                changes += now.equals(last) ? 0 : 1;
                last = now;
                return !isAlive() && Clock.SYSTEM.nanoTime() - until < 0;
            } catch (MysqlServerError | TributaryException e) { // reported by the shard's own check
                ShardErrors.logUnanswered(shard, e);
                return false;
            }
        }

        /** One change can be of a writer that has ended since. */
        boolean isAlive() {
            return changes > 1;
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
     * The node that took over the shard last.
     *
     * @param id empty if it is not known
     */
    private record Author(String id, String place, Instant since, Duration interval) {
        Duration watch() {
            Duration watched = interval.multipliedBy(INTERVALS);
            return watched.compareTo(LEAST_WATCH) < 0
                    ? LEAST_WATCH
                    : watched.compareTo(MOST_WATCH) > 0 ? MOST_WATCH : watched;
        }

        @Override
        public String toString() {
            return id.isEmpty()
                    ? "a node that has not recorded its id"
                    : "node " + id + " (" + place + "), which took over the shard at " + since;
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
