package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
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
        return ask("SELECT @@GLOBAL.server_uuid").rows().get(0).text(0);
    }

    /** All transactions that the shard has executed by now. */
    public GtidSet executed() {
        return GtidSet.parse(ask("SELECT @@GLOBAL.gtid_executed").rows().get(0).text(0));
    }

    /**
     * The XIDs of the branches that are prepared and not decided now, in hexadecimal: gtrid, bqual, formatID.
     *
     * @throws TributaryException SHARD_UNFIT without the right to ask
     */
    public Set<String> prepared() {
        Set<String> xids = new TreeSet<>();
        try {
            for (QueryResult.Row row :
                    connection.query("XA RECOVER CONVERT XID", ANSWER_WITHIN).rows()) {
                xids.add(xid(row));
            }
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

    /** Columns formatID, gtrid_length, bqual_length, data; the last one as 0x and hexadecimal digits (manual, "XA RECOVER"). */
    private static String xid(QueryResult.Row row) {
        String digits = row.text(3).substring("0x".length());
        int gtrid = 2 * Integer.parseInt(row.text(1));
        return "X'" + digits.substring(0, gtrid) + "',X'" + digits.substring(gtrid) + "'," + row.text(0);
    }

    private QueryResult ask(String sql) {
        try {
            return connection.query(sql, ANSWER_WITHIN);
        } catch (MysqlServerError e) {
            throw failed(sql, e);
        }
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
