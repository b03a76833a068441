package io.tributary.apply.row;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The tables of the target that the stream changes, as they are now. They are read when they are needed first, and again after each statement of the
 * stream. The thread that reads the stream fills it; sessions read what is there.
 */
public final class TargetTables {
    private static final String ENGINES =
            "SELECT COALESCE(e.TRANSACTIONS, 'YES') FROM information_schema.TABLES t LEFT JOIN"
                    + " information_schema.ENGINES e ON e.ENGINE = t.ENGINE WHERE ";

    private final SqlSession session;
    private final boolean firesTriggers;
    private final Map<TableName, TargetTable> tables = new ConcurrentHashMap<>();

    /**
     * Begins with none.
     *
     * @param session for queries, in an empty sql_mode; not owned
     * @param firesTriggers whether the rows are applied by statements, which fire triggers
     */
    public TargetTables(SqlSession session, boolean firesTriggers) {
        this.session = session;
        this.firesTriggers = firesTriggers;
    }

    /**
     * A table, which is read if it is not known.
     *
     * @throws TributaryException TARGET_UNFIT if the target has no such table, or one that cannot be changed as the stream requires; TARGET_FAILED,
     *     TARGET_UNREACHABLE
     */
    public TargetTable require(TableName name) {
        TargetTable known = tables.get(name);
        if (known == null) {
            known = read(name);
            tables.put(name, known);
        }
        return known;
    }

    /** A table that was {@link #require}d. */
    TargetTable known(TableName name) {
        return tables.get(name);
    }

    /** A server would leave out values of columns that it lacks, without an error. */
    void requireColumns(TableDefinition table, TableShape event) {
        int columns = table.columns().size();
        boolean isSame = event.columnCount() == columns;
        for (int i = 0; isSame && i < columns; i++) {
            String name = event.name(i);
            isSame = name.isEmpty()
                    || name.equalsIgnoreCase(table.columns().get(i).name());
        }
        if (!isSame) {
            throw unfit(
                    "the table " + table.name() + " with the columns of the stream: "
                            + (event.columnCount() > 0 && event.name(0).isEmpty()
                                    ? event.columnCount() + " columns"
                                    : IntStream.range(0, event.columnCount())
                                            .mapToObj(event::name)
                                            .collect(Collectors.joining(", "))),
                    table.columns().stream().map(Column::name).collect(Collectors.joining(", ")),
                    "change the table on the target; the node continues by itself");
        }
    }

    /** Forgets all: a statement may have changed them. */
    public void clear() {
        tables.clear();
    }

    private TargetTable read(TableName name) {
        String where = "TABLE_SCHEMA = " + SqlNames.literal(name.schema()) + " AND TABLE_NAME = "
                + SqlNames.literal(name.table());
        TableDefinition definition = readDefinition(name)
                .orElseThrow(() -> unfit(
                        "the table " + name,
                        "none",
                        "create it, or leave it out with apply.tables; the node continues by itself"));
        String engine = session.value(ENGINES + where.replace("TABLE_", "t.TABLE_"));
        if (firesTriggers) {
            String trigger =
                    session.value("SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = "
                            + SqlNames.literal(name.schema()) + " AND EVENT_OBJECT_TABLE = "
                            + SqlNames.literal(name.table())
                            + " LIMIT 1");
            if (trigger != null) {
                throw unfit(
                        "the table " + name + " without triggers, because the stream has the rows that triggers of the"
                                + " shards have changed",
                        "the trigger " + trigger,
                        "drop it on the target, or use apply.backend=events");
            }
        }
        return new TargetTable(definition, !"NO".equals(engine));
    }

    /** The definition of a table; empty if there is no such table, which rows of the stream need not have. */
    Optional<TableDefinition> definition(TableName name) {
        TargetTable known = tables.get(name);
        return known == null ? readDefinition(name) : Optional.of(known.definition());
    }

    private Optional<TableDefinition> readDefinition(TableName name) {
        String query = "SHOW CREATE TABLE " + SqlNames.name(name);
        try {
            QueryResult.Row row = session.query(query).rows().get(0);
            ServerVersion server = ServerVersion.of(session.connection().serverVersion());
            return Optional.of(DefinitionReader.create(
                            row.text(1), ReadSession.of(server, name.schema()), other -> Optional.empty())
                    .map(definition -> definition.named(name))
                    .orElseThrow(() -> unfit(
                            "a definition of " + name + " that can be read",
                            row.text(1),
                            "report it; the table can be left out with apply.tables")));
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_NO_SUCH_TABLE, MysqlError.ER_BAD_DB_ERROR)) {
                return Optional.empty();
            }
            throw session.failed(query, e);
        }
    }

    /** The tables that have foreign keys to a table. */
    Set<TableName> referencing(TableName name) {
        String query = "SELECT DISTINCT TABLE_SCHEMA, TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE"
                + " REFERENCED_TABLE_SCHEMA = " + SqlNames.literal(name.schema()) + " AND REFERENCED_TABLE_NAME = "
                + SqlNames.literal(name.table());
        Set<TableName> names = new LinkedHashSet<>();
        try {
            for (QueryResult.Row row : session.query(query).rows()) {
                names.add(new TableName(row.text(0), row.text(1)));
            }
        } catch (MysqlServerError e) {
            throw session.failed(query, e);
        }
        return names;
    }

    private TributaryException unfit(String expected, String found, String todo) {
        return session.unfit(ErrorCode.TARGET_UNFIT, "expected " + expected + ", found " + found + " | " + todo);
    }
}
