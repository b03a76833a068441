package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Xid;
import io.tributary.extractor.PreparedBranches;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
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
 * The search for a position in a shard's log at which a new stream can begin: no branch that was prepared before it may commit after it,
 * because its rows would be missing. It blocks, for some seconds at most.
 */
public final class StartPositionFinder {
    private static final Logger LOG = LoggerFactory.getLogger(StartPositionFinder.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;
    /** The pause between two attempts; it changes nothing. */
    private static final String PAUSE = "DO SLEEP(0.02)";

    private final String shard;
    private final ShardConfig config;
    private final MysqlClient client;

    public StartPositionFinder(String shard, ShardConfig config, MysqlClient client) {
        this.shard = shard;
        this.config = config;
        this.client = client;
    }

    /**
     * The cut at which the stream begins, as configured.
     *
     * @param facts of the shard, read just before
     * @throws TributaryException BRANCHES_PREPARED if branches were prepared in all attempts; the caller tries again
     */
    public ShardCut firstCut(ShardFacts facts) {
        ShardCut first = facts.firstCut(shard, config);
        if (first.resume().isEmpty()) {
            return first;
        }
        try (MysqlConnection connection = client.connect(config.endpoint()).join()) {
            return config.start().equals(ShardConfig.LATEST) ? latest(connection) : warnOfPrepared(connection, first);
        } catch (MysqlServerError e) {
            LOG.warn(
                    "XA RECOVER refused: shard={} reason=\"{}\" effect=\"a branch that is prepared now and commits later"
                            + " is refused then\" action=\"GRANT XA_RECOVER_ADMIN ON *.* TO '{}'\"",
                    shard,
                    e.getMessage(),
                    config.user());
            return first;
        } catch (CompletionException e) {
            throw ShardErrors.ofLogin(shard, e);
        }
    }

    /** Waits for a moment without prepared branches: none is listed, and the GTIDs before and after show that nothing was committed meanwhile. */
    private ShardCut latest(MysqlConnection connection) {
        Set<Xid> always = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ShardFacts before = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
            Set<Xid> prepared = prepared(connection);
            prepared.addAll(prepared(connection)); // a GTID is counted shortly before its branch is listed
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
                        + (always.isEmpty()
                                ? "other prepared branches in each of " + ATTEMPTS + " attempts"
                                : "XA " + shown(always)));
    }

    private ShardCut warnOfPrepared(MysqlConnection connection, ShardCut first) {
        Set<Xid> prepared = prepared(connection);
        if (!prepared.isEmpty()) {
            LOG.warn(
                    "branches are prepared now: shard={} branches=\"XA {}\" effect=\"one that was prepared before"
                            + " shard.{}.start is refused when it commits\"",
                    shard,
                    shown(prepared),
                    shard);
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
