package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;

/** Asks a shard that is to join a running stream how far it is, and what is undecided there. It blocks: not for a stage. */
public final class JoiningShard implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
    private static final int XA_RECOVER_DENIED = 1401;

    private final String name;
    private final ShardConfig config;
    private final MysqlConnection connection;

    /**
     * Connects.
     *
     * @throws TributaryException SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED
     */
    public JoiningShard(String name, ShardConfig config, MysqlClient client) {
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

    /** All transactions that the shard has executed by now. */
    public GtidSet executed() {
        return facts().executed();
    }

    private ShardFacts facts() {
        try {
            return connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
        } catch (MysqlServerError e) {
            throw failed("what it has executed", e);
        }
    }

    /**
     * The XIDs of the branches that are prepared and not decided now: gtrid, bqual, formatID.
     *
     * @throws TributaryException SHARD_UNFIT without the right to ask
     */
    public Set<String> prepared() {
        Set<String> xids = new TreeSet<>();
        try {
            PreparedBranches.of(connection, ANSWER_WITHIN).forEach(xid -> xids.add(xid.toString()));
        } catch (MysqlServerError e) {
            boolean isDenied = e.errorCode() == XA_RECOVER_DENIED || ShardErrors.isDenied(e);
            throw !isDenied
                    ? failed("XA RECOVER", e)
                    : new TributaryException(
                            ErrorCode.SHARD_UNFIT,
                            "shard " + name + ": expected the right to run XA RECOVER, " + e.getMessage()
                                    + "; an administrator runs: GRANT XA_RECOVER_ADMIN ON *.* TO '" + config.user()
                                    + "'@'%'",
                            e);
        }
        return xids;
    }

    private TributaryException failed(String sql, MysqlServerError e) {
        return new TributaryException(
                ErrorCode.SQL_FAILED, "shard " + name + ": expected an answer to " + sql + ", " + e.getMessage(), e);
    }

    @Override
    public void close() {
        connection.close();
    }
}
