package io.tributary.extractor.rounds;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.extractor.PreparedBranches;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;

/**
 * A connection to a shard that will join a running stream: it reads the executed transactions and the undecided branches. It blocks, so
 * stages must not use it.
 */
public final class JoiningShardQuery implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final String name;
    private final ShardConfig config;
    private final MysqlConnection connection;

    /**
     * Connects.
     *
     * @throws TributaryException SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED
     */
    public JoiningShardQuery(String name, ShardConfig config, MysqlClient client) {
        this.name = name;
        this.config = config;
        try {
            this.connection = client.connect(config.endpoint()).join();
        } catch (CompletionException e) {
            throw ShardErrors.ofLogin(name, e);
        }
    }

    /** The server's UUID. */
    public String uuid() {
        return facts().uuid();
    }

    /** All transactions that the shard has executed so far. */
    public GtidSet executed() {
        return facts().executed();
    }

    private ShardFacts facts() {
        try {
            return connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
        } catch (MysqlServerError e) {
            throw failed("the query of its executed transactions", e);
        }
    }

    /**
     * The XIDs of the branches that are prepared and undecided now: gtrid, bqual, formatID.
     *
     * @throws TributaryException SHARD_UNFIT if the account lacks the right to run XA RECOVER
     */
    public Set<String> prepared() {
        Set<String> xids = new TreeSet<>();
        try {
            PreparedBranches.of(connection, ANSWER_WITHIN).forEach(xid -> xids.add(xid.toString()));
        } catch (MysqlServerError e) {
            boolean isDenied = e.is(MysqlError.ER_XAER_RMERR) || ShardErrors.isDenied(e);
            throw !isDenied
                    ? failed("XA RECOVER", e)
                    : new TributaryException(
                            ErrorCode.SHARD_UNFIT,
                            "shard " + name + ": expected the right to run XA RECOVER, found " + e.getMessage()
                                    + "; an administrator runs: GRANT XA_RECOVER_ADMIN ON *.* TO '" + config.user()
                                    + "'@'%'",
                            e);
        }
        return xids;
    }

    private TributaryException failed(String sql, MysqlServerError e) {
        return new TributaryException(
                ErrorCode.SQL_FAILED,
                "shard " + name + ": expected an answer to " + sql + ", found " + e.getMessage(),
                e);
    }

    @Override
    public void close() {
        connection.close();
    }
}
