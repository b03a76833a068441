package io.tributary.seed.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.stream.BinlogText;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.replica.TargetWriters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what runs alone: statements, and transactions that are too large to be held, of which it passes on each piece when it is read. A
 * transaction of rows that runs alone has no deadlock, so nothing is repeated: after an error a later run begins it again.
 *
 * <p>Atomicity of a statement and its GTID: MySQL 8.0 commits both together. A 5.7 target that ended in the middle may have executed the
 * statement without its GTID; then the statement fails because it is done already, and only the GTID is committed.
 */
final class SerialReplay implements ReplayOutput, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SerialReplay.class);

    /** Answers that show that there is nothing to do: the copy made or removed it. */
    private static final MysqlError[] DONE = {
        MysqlError.ER_DB_CREATE_EXISTS, MysqlError.ER_DB_DROP_EXISTS, MysqlError.ER_BAD_TABLE_ERROR
    };

    /** The same on a server whose statements are not atomic with their GTIDs. */
    private static final MysqlError[] DONE_BEFORE = {
        MysqlError.ER_TABLE_EXISTS_ERROR,
        MysqlError.ER_NO_SUCH_TABLE,
        MysqlError.ER_DUP_FIELDNAME,
        MysqlError.ER_DUP_KEYNAME,
        MysqlError.ER_CANT_DROP_FIELD_OR_KEY,
        MysqlError.ER_BAD_FIELD_ERROR
    };

    /**
     * Views, programs and accounts change no rows, and the target has no programs and accounts of the shards, and views only at the end: a statement
     * about them that it refuses is left out.
     */
    private static final Set<StatementKind> WITHOUT_ROWS =
            Set.of(StatementKind.PROGRAM, StatementKind.ACCOUNT, StatementKind.SERVER);

    /** For one statement: an ALTER TABLE may copy a large table. */
    private static final Duration STATEMENT_LIMIT = Duration.ofDays(2);

    private final TargetWriters target;
    private final boolean isOldTarget;
    private final ReplayDispatch dispatch;
    private ReplaySession rows;
    private ReplaySession statements;
    private ReplaySession open;
    private boolean isInStatement;

    /** @param isOldTarget whether the target is older than 8.0 */
    SerialReplay(TargetWriters target, boolean isOldTarget, ReplayDispatch dispatch) {
        this.target = target;
        this.isOldTarget = isOldTarget;
        this.dispatch = dispatch;
    }

    @Override
    public boolean isOldTarget() {
        return isOldTarget;
    }

    /** How rows are applied: a 5.7 target cannot add GTIDs to those that it has executed. */
    ReplaySession.Form form() {
        return isOldTarget ? ReplaySession.Form.WITH_GTID : ReplaySession.Form.TOGETHER;
    }

    @Override
    public void drain() {
        dispatch.drain();
    }

    @Override
    public void submit(ReplayTransaction transaction) {
        dispatch.submit(transaction);
    }

    @Override
    public void seen(StreamStatement statement, ReplayTransaction transaction) {
        // only what is executed counts
    }

    @Override
    public void begin(ReplayTransaction transaction) {
        dispatch.drain();
        if (rows == null) {
            rows = ReplaySession.open(target, form());
        }
        if (form() == ReplaySession.Form.WITH_GTID) {
            rows.sql().run("SET gtid_next='" + transaction.gtid() + "'");
        }
        rows.sql().run("BEGIN");
        open = rows;
        for (byte[] piece : transaction.pieces()) {
            piece(transaction, piece);
        }
        transaction.clear();
    }

    @Override
    public void piece(ReplayTransaction transaction, byte[] piece) {
        ByteBuf text = Unpooled.buffer(BinlogText.length(piece.length));
        BinlogText.append(text, piece);
        try {
            var unused = open.sql().query(text);
        } catch (MysqlServerError e) {
            throw open.sql().failed(transaction.toString(), e);
        }
    }

    @Override
    public void commit(ReplayTransaction transaction) {
        if (!isInStatement) { // MySQL allows nothing but rows after CREATE TABLE ... START TRANSACTION
            open.sql().run(target.check());
        }
        if (open == rows && form() == ReplaySession.Form.TOGETHER) {
            open.sql().run(ReplayLog.store(List.of(transaction)));
        }
        open.sql().run("COMMIT", "SET gtid_next='AUTOMATIC'");
        open = null;
        isInStatement = false;
        dispatch.committedAlone(transaction);
    }

    /** Executes a statement with its GTID. */
    @Override
    public void run(StreamStatement statement, ReplayTransaction transaction) {
        if (execute(statement, transaction)) {
            statements.sql().run("SET gtid_next='AUTOMATIC'");
            dispatch.committedAlone(transaction);
        } else {
            dispatch.submit(transaction);
        }
    }

    /** Executes a CREATE TABLE ... START TRANSACTION; rows follow. */
    @Override
    public void beginWith(StreamStatement statement, ReplayTransaction transaction) {
        isInStatement = execute(statement, transaction);
        if (!isInStatement) {
            statements.sql().run("SET gtid_next='" + transaction.gtid() + "'", "BEGIN");
        }
        open = statements;
    }

    /** Returns whether it was executed; if not, it was done before. */
    private boolean execute(StreamStatement statement, ReplayTransaction transaction) {
        dispatch.drain();
        statementSession();
        try {
            if (!statement.schema().isEmpty()) {
                var unusedSchema = statements.sql().query("USE " + SqlNames.name(statement.schema()));
            }
            statements.sql().run(statement.settings(), "SET gtid_next='" + transaction.gtid() + "'");
            var unused = statements
                    .sql()
                    .query(Unpooled.wrappedBuffer(statement.text().bytes()));
            return true;
        } catch (MysqlServerError e) {
            boolean hasRows = !WITHOUT_ROWS.contains(statement.parsed().kind());
            if (hasRows && !e.is(DONE) && !(isOldTarget && e.is(DONE_BEFORE))) {
                throw statements.sql().failed(statement + ", transaction " + transaction.gtid() + " of the stream", e);
            }
            LOG.debug(
                    "statement was done before, or is left out: gtid={} statement=\"{}\" error=\"{}\"",
                    transaction.gtid(),
                    statement,
                    e.getMessage());
            statements.sql().run("ROLLBACK", "SET gtid_next='AUTOMATIC'");
            return false;
        }
    }

    /** Removes tables from the target, without its binlog. */
    @Override
    public void drop(Set<TableName> tables) {
        dispatch.drain();
        statementSession();
        List<String> sql = new ArrayList<>(List.of("SET SESSION sql_log_bin = 0", "SET foreign_key_checks = 0"));
        for (TableName table : tables) {
            sql.add("DROP TABLE IF EXISTS " + SqlNames.name(table));
        }
        sql.add("SET SESSION sql_log_bin = 1");
        statements.sql().run(sql.toArray(String[]::new));
    }

    /** The tables of a schema on the target. */
    @Override
    public Collection<TableName> tablesOf(String schema, long transaction) {
        dispatch.drain();
        statementSession();
        String sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = " + SqlNames.literal(schema)
                + " AND table_type = 'BASE TABLE'";
        List<TableName> tables = new ArrayList<>();
        try {
            QueryResult result = statements.sql().query(sql);
            for (QueryResult.Row row : result.rows()) {
                tables.add(new TableName(schema, row.text(0)));
            }
        } catch (MysqlServerError e) {
            throw statements.sql().failed(sql, e);
        }
        return tables;
    }

    private void statementSession() {
        if (statements == null) {
            statements = ReplaySession.open(target, ReplaySession.Form.WITH_GTID, STATEMENT_LIMIT);
        }
        statements
                .sql()
                .run(
                        "SET gtid_next='AUTOMATIC'",
                        "SET SESSION sql_mode = '', character_set_client = utf8mb4",
                        target.check());
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
        if (statements != null) {
            statements.close();
        }
    }
}
