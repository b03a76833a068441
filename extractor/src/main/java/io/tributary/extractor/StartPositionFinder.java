package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Xid;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a place in a shard's log to begin a new stream at behind which no branch commits that was prepared in front of it: its rows
 * would be missing. It blocks, for some seconds at most.
 */
public final class CleanStart {
    private static final Logger LOG = LoggerFactory.getLogger(CleanStart.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;
    /** Changes nothing; between two attempts. */
    private static final String PAUSE = "DO SLEEP(0.02)";

    private final String shard;
    private final ShardConfig config;
    private final MysqlClient client;

    public CleanStart(String shard, ShardConfig config, MysqlClient client) {
        this.shard = shard;
        this.config = config;
        this.client = client;
    }

    /**
     * Where the stream begins, as the configuration says it.
     *
     * @param facts of the shard, asked a moment ago
     * @throws TributaryException BRANCHES_PREPARED when a branch stays prepared all the while; to be tried again
     */
    public ShardCut firstCut(ShardFacts facts) {
        ShardCut first = facts.firstCut(shard, config);
        if (first.resume().isEmpty()) {
            return first;
        }
        try (MysqlConnection connection = client.connect(config.endpoint()).join()) {
            return config.start().equals(ShardConfig.LATEST) ? latest(connection) : warned(connection, first);
        } catch (MysqlServerError e) {
            LOG.warn(
                    "shard {}: XA RECOVER is refused ({}): a branch that is prepared now and commits later will be refused;"
                            + " GRANT XA_RECOVER_ADMIN ON *.* TO '{}'",
                    shard,
                    e.getMessage(),
                    config.user());
            return first;
        } catch (CompletionException e) {
            throw ShardErrors.ofLogin(shard, e);
        }
    }

    /** A moment at which nothing is prepared: none was while nothing was committed, by GTIDs read before and after. */
    private ShardCut latest(MysqlConnection connection) {
        Set<Xid> always = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ShardFacts before = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
            Set<Xid> prepared = prepared(connection);
            prepared.addAll(prepared(connection)); // a GTID counts a moment before its branch is listed
            GtidSet after =
                    connection.await(ShardFacts.ask(connection), ANSWER_WITHIN).executed();
            if (prepared.isEmpty() && after.equals(before.executed())) {
                return before.firstCut(shard, config);
            }
            if (always == null) {
                always = prepared;
            }
            always.retainAll(prepared);
            connection.query(PAUSE, ANSWER_WITHIN);
        }
        throw new TributaryException(
                ErrorCode.BRANCHES_PREPARED,
                "shard " + shard + ": expected a moment at which no branch is prepared, to begin there, found "
                        + (always.isEmpty() ? "others each time in " + ATTEMPTS + " attempts" : "XA " + shown(always)));
    }

    private ShardCut warned(MysqlConnection connection, ShardCut first) {
        Set<Xid> prepared = prepared(connection);
        if (!prepared.isEmpty()) {
            LOG.warn(
                    "shard {}: these branches are prepared now; one that was prepared in front of shard.{}.start will be"
                            + " refused when it commits: XA {}",
                    shard,
                    shard,
                    shown(prepared));
        }
        return first;
    }

    private static String shown(Set<Xid> xids) {
        return xids.stream().map(Xid::toString).sorted().collect(Collectors.joining("; XA "));
    }

    private static Set<Xid> prepared(MysqlConnection connection) {
        return PreparedBranches.of(connection, ANSWER_WITHIN);
    }
}
