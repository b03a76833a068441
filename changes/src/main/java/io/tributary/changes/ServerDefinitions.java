package io.tributary.changes;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The definitions that a server has: a node those after any transaction of its binlog; another MySQL server those of now, which the reader compares with
 * the rows. For one thread.
 */
public final class ServerDefinitions implements ChangeDefinitions, AutoCloseable {
    /** What SHOW CREATE TABLE depends on: quotes and backslashes of its text, and whether it has a generated primary key. */
    private static final String PREPARE = "SET SESSION sql_mode = '', sql_quote_show_create = 1"
            + " /*!80030 , show_gipk_in_create_table_and_information_schema = ON */";

    private final SqlSession session;
    private boolean isNode = true;

    /** Connects to the server from which the binlog is read; errors as in {@link SqlSession#open}. */
    public ServerDefinitions(MysqlClient client, Peer server) {
        this.session = SqlSession.open(client, server);
    }

    @Override
    public Optional<TableDefinition> after(Gtid transaction, TableName table) {
        if (isNode) {
            String like = table.toString().replaceAll("([\\\\%_])", "\\\\$1");
            String query = "SHOW TRIBUTARY SCHEMA AT GTID '" + transaction + "' LIKE " + SqlNames.literal(like);
            try {
                return ofNode(session.query(query), table);
            } catch (MysqlServerError e) {
                if (!e.is(MysqlError.ER_PARSE_ERROR)) {
                    throw session.failed(query, e);
                }
                isNode = false;
                session.run(PREPARE);
            }
        }
        return ofServer(table);
    }

    /**
     * The tables that a node has after a transaction, and that the account may read.
     *
     * @return empty for another MySQL server
     */
    public Optional<Set<TableName>> tables(Gtid transaction) {
        String query = "SHOW TRIBUTARY SCHEMA AT GTID '" + transaction + "'";
        try {
            QueryResult found = session.query(query);
            Set<TableName> tables = new HashSet<>();
            for (int row = 0; row < found.rows().size(); row++) {
                tables.add(new TableName(found.text(row, "Schema"), found.text(row, "Table")));
            }
            return Optional.of(tables);
        } catch (MysqlServerError e) {
            if (!e.is(MysqlError.ER_PARSE_ERROR)) {
                throw session.failed(query, e);
            }
            return Optional.empty();
        }
    }

    private Optional<TableDefinition> ofNode(QueryResult rows, TableName table) {
        for (int row = 0; row < rows.rows().size(); row++) {
            TableName name = new TableName(rows.text(row, "Schema"), rows.text(row, "Table"));
            if (name.equals(table)) { // LIKE ignores letter case
                return Optional.of(read(rows.text(row, "Create_table"), ReadSession.standard(table.schema()), table));
            }
        }
        return Optional.empty();
    }

    private Optional<TableDefinition> ofServer(TableName table) {
        String query = "SHOW CREATE TABLE " + SqlNames.name(table);
        try {
            QueryResult.Row row = session.query(query).rows().get(0);
            ServerVersion version = ServerVersion.of(session.connection().serverVersion());
            return Optional.of(read(row.text(1), ReadSession.of(version, table.schema()), table));
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_NO_SUCH_TABLE, MysqlError.ER_BAD_DB_ERROR)) {
                return Optional.empty();
            }
            throw session.failed(query, e);
        }
    }

    private TableDefinition read(String create, ReadSession rules, TableName table) {
        return DefinitionReader.create(create, rules, other -> Optional.empty())
                .map(definition -> definition.named(table))
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.REPLAY_FAILED,
                        session.peer() + ": expected a definition of " + table + " that can be read, found " + create));
    }

    @Override
    public void close() {
        session.close();
    }
}
