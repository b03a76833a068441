package io.tributary.seed.reseed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;

/**
 * Writes rows into tables of Tributary's schema on a shard. Each statement is a transaction with a GTID of a source that only this writer uses, so that
 * its transactions can be asked for in the binlog.
 */
final class CorrectionWriter implements AutoCloseable {
    private static final String LIKE = "correction\\_%";
    private static final int MOST_ROWS = 1_000;
    private static final int MOST_LENGTH = 1 << 20;

    private final SqlSession session;
    private final Sid source;
    private long written;

    private CorrectionWriter(SqlSession session) {
        this.session = session;
        this.source = Sid.parse(session.value("SELECT UUID()"));
    }

    static CorrectionWriter open(MysqlClient client, Peer shard) {
        SqlSession session = SqlSession.open(client, shard);
        try {
            session.run(
                    "SET NAMES utf8mb4",
                    "SET SESSION foreign_key_checks = 0, time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,"
                            + "NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'");
            var unused = session.isRefused(
                    "SET SESSION binlog_rows_query_log_events = 0",
                    MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
                    MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE);
            return new CorrectionWriter(session);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Makes the schema if the shard has never been read. */
    void createSchema() {
        if (session.value("SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = "
                        + SqlNames.literal(HeartbeatTable.SCHEMA))
                == null) {
            session.run("CREATE DATABASE " + SqlNames.name(HeartbeatTable.SCHEMA));
        }
    }

    /** Drops all tables of this and of earlier runs; their rows stay in the binlog. */
    void dropTables() {
        try {
            QueryResult tables = session.query("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
                    + SqlNames.literal(HeartbeatTable.SCHEMA) + " AND TABLE_NAME LIKE '" + LIKE + "'");
            for (QueryResult.Row row : tables.rows()) {
                session.run("DROP TABLE IF EXISTS " + SqlNames.name(new TableName(HeartbeatTable.SCHEMA, row.text(0))));
            }
        } catch (MysqlServerError e) {
            throw session.failed("the query for tables of corrections", e);
        }
    }

    /** Makes a table with the columns of another one. */
    void create(TableName name, TableName like) {
        session.run("CREATE TABLE " + SqlNames.name(name) + " LIKE " + SqlNames.name(like));
    }

    /**
     * Writes rows, in order, with as many transactions as they need.
     *
     * @param insert the beginning of the statement
     * @param rows their values in parentheses
     */
    void write(String insert, Iterable<String> rows) {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (String row : rows) {
            if (count > 0 && (count == MOST_ROWS || text.length() + row.length() > MOST_LENGTH)) {
                send(text.toString());
                count = 0;
            }
            if (count == 0) {
                text.setLength(0);
                text.append(insert);
            }
            text.append(count == 0 ? "" : ", ").append(row);
            count++;
        }
        if (count > 0) {
            send(text.toString());
        }
    }

    private void send(String statement) {
        session.run("SET SESSION gtid_next = '" + source + ":" + (written + 1) + "'");
        try {
            var unused = session.query(statement);
        } catch (MysqlServerError e) {
            throw session.unfit(
                    ErrorCode.SQL_FAILED,
                    "expected that it stores the rows of corrections, found " + e.getMessage() + " for "
                            + statement.substring(0, Math.min(200, statement.length())));
        }
        session.run("SET SESSION gtid_next = 'AUTOMATIC'");
        written++;
    }

    /** The transactions that were written. */
    GtidSet gtids() {
        return written == 0
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder().addRange(source, 1, written).build();
    }

    /** What the server has executed. */
    GtidSet executed() {
        return GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed"));
    }

    @Override
    public void close() {
        session.close();
    }
}
