package io.tributary.seed.table;

import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.sql.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The schemas, tables and views of one shard, and their definitions. For one thread. */
final class ShardListing implements AutoCloseable {
    /** Definitions have the same form on every shard. */
    private static final String SESSION =
            "SET SESSION sql_mode = '', time_zone = '+00:00', sql_quote_show_create = 1, lock_wait_timeout = 5";

    private static final String SCHEMAS = "SELECT SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME"
            + " FROM information_schema.SCHEMATA ORDER BY SCHEMA_NAME";
    /** MariaDB has a separate type for base tables WITH SYSTEM VERSIONING. */
    private static final String TABLES =
            "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE"
                    + " IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY TABLE_SCHEMA, TABLE_NAME";

    private static final String VIEWS = "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
            + " WHERE TABLE_TYPE = 'VIEW' ORDER BY TABLE_SCHEMA, TABLE_NAME";

    private final SqlSession session;

    private ShardListing(SqlSession session) {
        this.session = session;
    }

    static ShardListing open(MysqlClient client, Peer shard, TableNames names) {
        SqlSession session = SqlSession.open(client, shard);
        try {
            session.connection().await(names.requireSelect(shard.name(), session.connection()), shard.timeout());
            session.run(SESSION);
            return new ShardListing(session);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    Peer shard() {
        return session.peer();
    }

    List<SchemaDefault> schemas() {
        return rows(SCHEMAS).stream()
                .map(row -> new SchemaDefault(row.text(0), row.text(1), row.text(2)))
                .toList();
    }

    List<TableName> tables() {
        return names(TABLES);
    }

    List<TableName> views() {
        return names(VIEWS);
    }

    private List<TableName> names(String query) {
        List<TableName> names = new ArrayList<>();
        rows(query).forEach(row -> names.add(new TableName(row.text(0), row.text(1))));
        return names;
    }

    private List<QueryResult.Row> rows(String query) {
        try {
            return session.query(query).rows();
        } catch (MysqlServerError e) {
            throw session.failed(query, e);
        }
    }

    /** CREATE TABLE or CREATE VIEW with physical names; empty if the table or view does not exist any more. */
    Optional<ReportedTable> create(TableName physical) {
        String query = "SHOW CREATE TABLE " + SqlNames.name(physical);
        try {
            ServerVersion server = ServerVersion.of(session.connection().serverVersion());
            return Optional.of(
                    new ReportedTable(server, session.query(query).rows().get(0).text(1)));
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_NO_SUCH_TABLE)) {
                return Optional.empty();
            }
            throw session.failed(query, e);
        }
    }

    /** CREATE VIEW, or the reason why there is none. */
    ViewText view(TableName physical) {
        try {
            return new ViewText(
                    session.query("SHOW CREATE VIEW " + SqlNames.name(physical))
                            .rows()
                            .get(0)
                            .text(1),
                    "");
        } catch (MysqlServerError e) {
            return new ViewText("", e.getMessage());
        }
    }

    /**
     * The answer to SHOW CREATE VIEW.
     *
     * @param text "" if the shard refuses it
     * @param refusal the shard's error, "" without one
     */
    record ViewText(String text, String refusal) {}

    @Override
    public void close() {
        session.close();
    }
}
