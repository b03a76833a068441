package io.tributary.apply.server;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.sql.SqlNames;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a statement once on a server that may commit it before its progress. The table {@code tributary_apply.statements} has the statement that is
 * being executed, with a hash of the definitions that it changes as they were before it. If they are others after a crash, it was executed.
 */
final class StatementMarks {
    static final String CREATE = "CREATE TABLE IF NOT EXISTS " + TableProgress.SCHEMA
            + ".statements (name VARCHAR(64) CHARACTER SET ascii PRIMARY KEY,"
            + " number BIGINT NOT NULL, before_it CHAR(64) NOT NULL) ENGINE=InnoDB";

    private static final Logger LOG = LoggerFactory.getLogger(StatementMarks.class);
    private static final String TABLE = TableProgress.SCHEMA + ".statements";

    /** A server may count again after a crash, and rows that an operator corrects change it. */
    private static final Pattern AUTO_INCREMENT = Pattern.compile(" AUTO_INCREMENT=\\d+");

    private static final int LOCK_SECONDS = 10;

    private final SqlSession control;
    private final String stream;

    /** @param control a session for queries; not owned */
    StatementMarks(SqlSession control, String stream) {
        this.control = control;
        this.stream = SqlNames.literal(stream);
    }

    /** The statement that removes the mark, for the transaction that stores the progress. */
    String remove() {
        return "DELETE FROM " + TABLE + " WHERE name = " + stream;
    }

    /**
     * Executes a statement, unless an earlier run has done so.
     *
     * @throws io.tributary.common.error.TributaryException TARGET_FAILED if the server refuses it; TARGET_UNFIT if a statement of an earlier run is still
     *     executed, or it is not known whether it was
     */
    void executeOnce(SqlSession session, ApplyStatement statement, ReplayTransaction transaction) {
        requireAlone(session);
        String begun = control.value("SELECT before_it FROM " + TABLE + " WHERE name = " + stream + " AND number = "
                + transaction.gtid().gno());
        String now = fingerprint(statement);
        if (begun != null && !begun.equals(now)) {
            LOG.info("statement was executed before: gtid={} statement=\"{}\"", transaction.gtid(), statement);
            return;
        }
        if (begun != null && mayLeaveDefinitions(statement)) {
            throw session.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected to know whether " + statement + ", transaction " + transaction.gtid()
                            + " of the stream, was executed before the applier or the target ended, found definitions that"
                            + " do not tell | look at the rows; if it was executed, mark the transaction as applied"
                            + " (docs/apply.md); if not: " + remove());
        }
        control.run("REPLACE INTO " + TABLE + " VALUES (" + stream + ", "
                + transaction.gtid().gno() + ", '" + now + "')");
        try {
            statement.run(session);
        } catch (MysqlServerError e) {
            control.run(
                    remove()); // it was not executed: an operator may change the definitions before the next attempt
            throw session.failed(statement + ", transaction " + transaction.gtid() + " of the stream", e);
        }
    }

    /** A server continues a statement whose client is gone. The lock of its session is free when it has ended. */
    private void requireAlone(SqlSession session) {
        String lock = SqlNames.literal("tributary_apply.") + ", " + stream + ", '.statement'";
        if (!"1".equals(session.value("SELECT GET_LOCK(CONCAT(" + lock + "), " + LOCK_SECONDS + ")"))) {
            throw session.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected that no statement of an earlier run is executed, found one in connection "
                            + session.value("SELECT IS_USED_LOCK(CONCAT(" + lock + "))")
                            + " | wait for its end, or end it with KILL; the node continues by itself");
        }
    }

    /** Whether a statement can change rows and leave all definitions as they were. */
    private static boolean mayLeaveDefinitions(ApplyStatement statement) {
        String text = new String(statement.text().bytes(), statement.text().charset()).toUpperCase(Locale.ROOT);
        return text.contains("EXCHANGE") || statement.original().parsed().verb().startsWith("RENAME");
    }

    private String fingerprint(ApplyStatement statement) {
        StringBuilder text = new StringBuilder();
        for (TableName target : statement.targets()) {
            String definition = definition(target).orElse("");
            text.append(target)
                    .append('=')
                    .append(AUTO_INCREMENT.matcher(definition).replaceAll(""))
                    .append('\n');
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<String> definition(TableName target) {
        boolean isSchema = target.table().isEmpty();
        String query = "SHOW CREATE "
                + (isSchema ? "DATABASE " + SqlNames.name(target.schema()) : "TABLE " + SqlNames.name(target));
        try {
            return Optional.of(control.query(query).rows().get(0).text(1));
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_NO_SUCH_TABLE, MysqlError.ER_BAD_DB_ERROR)) {
                return Optional.empty();
            }
            throw control.failed(query, e);
        }
    }
}
