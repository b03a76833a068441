package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlRefusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Logical and physical names on the shard that answers. If several of its tables are one logical table, the first of them by name represents
 * it. Immutable.
 */
public final class TableNameMapping {
    /** The columns with which a row of information_schema names its schema and table; they determine how names are mapped. */
    private enum Kind {
        PLAIN,
        SCHEMA,
        TABLE,
        /** Without rows: see {@link AbsentPrograms}. */
        EMPTY
    }

    private static final Map<String, Kind> VIEWS = views(
            AbsentPrograms.VIEWS.keySet(),
            Map.entry("SCHEMATA", Kind.SCHEMA),
            Map.entry("TABLES", Kind.TABLE),
            Map.entry("COLUMNS", Kind.TABLE),
            Map.entry("STATISTICS", Kind.TABLE),
            Map.entry("KEY_COLUMN_USAGE", Kind.TABLE),
            Map.entry("TABLE_CONSTRAINTS", Kind.TABLE),
            Map.entry("VIEWS", Kind.TABLE),
            Map.entry("PARTITIONS", Kind.TABLE),
            Map.entry("COLLATIONS", Kind.PLAIN),
            Map.entry("CHARACTER_SETS", Kind.PLAIN),
            Map.entry("COLLATION_CHARACTER_SET_APPLICABILITY", Kind.PLAIN),
            Map.entry("ENGINES", Kind.PLAIN),
            Map.entry("KEYWORDS", Kind.PLAIN));

    @SafeVarargs
    private static Map<String, Kind> views(Set<String> empty, Map.Entry<String, Kind>... shown) {
        Map<String, Kind> views = new TreeMap<>(Map.ofEntries(shown));
        empty.forEach(view -> views.put(view, Kind.EMPTY));
        return views;
    }

    /** The view whose rows name two tables. */
    private static final String REFERRING = "KEY_COLUMN_USAGE";

    private static final String VIEW_COLUMNS =
            "TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, %s, CHECK_OPTION, IS_UPDATABLE,"
                    + " DEFINER, SECURITY_TYPE, CHARACTER_SET_CLIENT, COLLATION_CONNECTION";

    private static final String FILE_NAME = "#mysql50#";

    private final LogicalNames names;
    private final TableFilter reads;
    private final ShownTables shard;
    private final Map<String, List<String>> columns;
    private final Overlay overlay;

    /** The tables and schemas of the shard that readers see: logical names to physical names. */
    private record ShownTables(Map<TableName, TableName> tables, Map<String, String> schemas) {}

    private TableNameMapping(
            LogicalNames names,
            TableFilter reads,
            ShownTables shard,
            Map<String, List<String>> columns,
            Overlay overlay) {
        this.names = names;
        this.reads = reads;
        this.shard = shard;
        this.columns = columns;
        this.overlay = overlay;
    }

    /** Names that are not mapped. */
    static TableNameMapping same(LogicalNames names) {
        return new TableNameMapping(
                names, TableFilter.ALL, new ShownTables(Map.of(), Map.of()), Map.of(), Overlay.NONE);
    }

    /**
     * Mapped names.
     *
     * @param physical all tables of the shard, ordered by name
     * @param schemas all schemas of the shard
     * @param columns the columns of each table of information_schema, in their order
     */
    static TableNameMapping mapped(
            LogicalNames names, List<TableName> physical, List<String> schemas, Map<String, List<String>> columns) {
        Map<TableName, TableName> tables = new LinkedHashMap<>();
        Map<String, String> schemaNames = new TreeMap<>();
        for (String schema : schemas) {
            if (!names.hides(schema)) {
                schemaNames.putIfAbsent(
                        names.mapping().apply(new TableName(schema, "")).schema(), schema);
            }
        }
        for (TableName table : physical) {
            if (!names.hides(table.schema())) {
                TableName logical = names.mapping().apply(table);
                tables.putIfAbsent(logical, table);
                schemaNames.putIfAbsent(logical.schema(), table.schema());
            }
        }
        ShownTables shown = new ShownTables(tables, schemaNames);
        return new TableNameMapping(names, TableFilter.ALL, shown, columns, Overlay.NONE);
    }

    /** These names, limited to those that a filter may read. */
    TableNameMapping limitedTo(TableFilter filter) {
        Map<TableName, TableName> someTables = new LinkedHashMap<>(shard.tables());
        someTables.keySet().removeIf(name -> !filter.reads(name.schema(), name.table()));
        Map<String, String> someSchemas = new TreeMap<>(shard.schemas());
        someSchemas.keySet().removeIf(name -> !filter.readsSchema(name));
        return new TableNameMapping(names, filter, new ShownTables(someTables, someSchemas), columns, overlay);
    }

    /** These names, with the columns of each table of information_schema. */
    TableNameMapping withColumns(Map<String, List<String>> known) {
        return new TableNameMapping(names, reads, shard, known, overlay);
    }

    /** These names, with rows of definitions that replace rows of the shard. */
    TableNameMapping with(Overlay rows) {
        return new TableNameMapping(names, reads, shard, columns, rows);
    }

    /** Tables of information_schema whose columns must be known for mapped names. */
    static String views() {
        return VIEWS.keySet().stream().map(SqlText::literal).collect(Collectors.joining(", "));
    }

    /**
     * Checks a table of information_schema.
     *
     * @throws SqlRefusal when it is not sent to a shard
     */
    static void requireKnown(String view) {
        if (!VIEWS.containsKey(view.toUpperCase(Locale.ROOT))) {
            throw SqlRefusal.unsupported("Tributary does not pass information_schema." + view + " to a shard");
        }
    }

    /**
     * The physical table that represents a logical one.
     *
     * @throws SqlRefusal ER_BAD_DB_ERROR, ER_NO_SUCH_TABLE when there is none
     */
    TableName physical(TableName logical) {
        requireShown(logical.schema());
        boolean isRead = reads.reads(logical.schema(), logical.table()) && !isFileName(logical.table());
        if (names.isIdentity() && isRead) {
            return logical;
        }
        TableName table = shard.tables().get(logical);
        if (table == null) {
            throw new SqlRefusal(MysqlError.ER_NO_SUCH_TABLE, "Table '" + logical + "' doesn't exist");
        }
        return table;
    }

    /**
     * The physical schema.
     *
     * @throws SqlRefusal ER_BAD_DB_ERROR when there is none
     */
    String physicalSchema(String logical) {
        requireShown(logical);
        String schema = names.isIdentity() && reads.readsSchema(logical)
                ? logical
                : shard.schemas().get(logical);
        if (schema == null) {
            throw unknown(logical);
        }
        return schema;
    }

    private void requireShown(String schema) {
        if (isFileName(schema)) {
            throw unknown(schema);
        }
        if (names.isIdentity() && names.hides(schema)) {
            throw unknown(schema);
        }
    }

    /** Whether old servers treat a name as a file name, and find an object with another name by it. */
    private static boolean isFileName(String name) {
        return name.regionMatches(true, 0, FILE_NAME, 0, FILE_NAME.length());
    }

    private static SqlRefusal unknown(String schema) {
        return new SqlRefusal(MysqlError.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'");
    }

    /** The FROM operand that replaces a table of information_schema: the same columns, with logical names. */
    String view(String name) {
        String view = name.toUpperCase(Locale.ROOT);
        return overlay.over(view, liveView(view), columns.getOrDefault(view, List.of()));
    }

    private String liveView(String view) {
        Kind kind = VIEWS.get(view);
        if (kind == Kind.EMPTY) {
            return AbsentPrograms.view(view);
        }
        String from = "information_schema." + view;
        if (kind == Kind.PLAIN) {
            return from;
        }
        String schemaColumn = kind == Kind.SCHEMA ? "SCHEMA_NAME" : "TABLE_SCHEMA";
        if (names.isIdentity()) {
            String left = names.hidden().stream().sorted().map(SqlText::literal).collect(Collectors.joining(", "));
            return "(SELECT " + (view.equals("VIEWS") && !reads.isAll() ? VIEW_COLUMNS.formatted(definition("")) : "*")
                    + " FROM " + from
                    + " WHERE LOWER(" + schemaColumn + ") NOT IN (" + left + ")"
                    + FilterSql.and(reads, schemaColumn, kind == Kind.TABLE)
                    + (view.equals(REFERRING) ? FilterSql.andReferred(reads) : "") + ")";
        }
        String pairs = kind == Kind.SCHEMA ? schemaPairs() : tablePairs();
        String join =
                same("c." + schemaColumn, "m.ps") + (kind == Kind.TABLE ? " AND " + same("c.TABLE_NAME", "m.pt") : "");
        String shown = columns.getOrDefault(view, List.of("*")).stream()
                .map(column -> shownColumn(column, kind))
                .collect(Collectors.joining(", "));
        String all = "SELECT " + shown + " FROM " + from + " c JOIN (" + pairs + ") m ON " + join;
        return "(" + all + (view.equals(REFERRING) ? referred(pairs) : "") + ")";
    }

    /** Joins the names of tables to which foreign keys refer; keys that refer to unreadable tables are removed. */
    private String referred(String pairs) {
        return " LEFT JOIN (" + pairs + ") r ON " + same("c.REFERENCED_TABLE_SCHEMA", "r.ps") + " AND "
                + same("c.REFERENCED_TABLE_NAME", "r.pt")
                + (reads.isAll() ? "" : " WHERE c.REFERENCED_TABLE_NAME IS NULL OR r.lt IS NOT NULL");
    }

    /** The definition of a view may name any table; MySQL also hides it from users without the right. */
    private String definition(String table) {
        return reads.isAll() ? table + "VIEW_DEFINITION" : "'' AS VIEW_DEFINITION";
    }

    private static String same(String column, String name) {
        return "CONVERT(" + column + " USING utf8mb4) COLLATE utf8mb4_bin = " + name;
    }

    private String shownColumn(String column, Kind kind) {
        return switch (column) {
            case "REFERENCED_TABLE_SCHEMA" -> "COALESCE(r.ls, c.REFERENCED_TABLE_SCHEMA) AS REFERENCED_TABLE_SCHEMA";
            case "REFERENCED_TABLE_NAME" -> "COALESCE(r.lt, c.REFERENCED_TABLE_NAME) AS REFERENCED_TABLE_NAME";
            case "VIEW_DEFINITION" -> definition("c.");
            case "SCHEMA_NAME", "TABLE_SCHEMA", "CONSTRAINT_SCHEMA", "INDEX_SCHEMA" -> "m.ls AS " + column;
            case "TABLE_NAME" -> kind == Kind.TABLE ? "m.lt AS TABLE_NAME" : "c.TABLE_NAME";
            default -> "c." + SqlNames.name(column);
        };
    }

    private String schemaPairs() {
        String none = "SELECT '' AS ps, '' AS ls";
        return shard.schemas().entrySet().stream()
                .map(entry -> "SELECT " + binary(entry.getValue()) + " AS ps, " + binary(entry.getKey()) + " AS ls")
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(" UNION ALL "), text -> text.isEmpty() ? none : text));
    }

    private String tablePairs() {
        String none = "SELECT '' AS ps, '' AS pt, '' AS ls, '' AS lt";
        return shard.tables().entrySet().stream()
                .map(entry -> "SELECT " + binary(entry.getValue().schema()) + " AS ps, "
                        + binary(entry.getValue().table()) + " AS pt, "
                        + binary(entry.getKey().schema()) + " AS ls, "
                        + binary(entry.getKey().table()) + " AS lt")
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(" UNION ALL "), text -> text.isEmpty() ? none : text));
    }

    private static String binary(String name) {
        return "_utf8mb4" + SqlText.literal(name) + " COLLATE utf8mb4_bin";
    }

    /**
     * A CREATE statement as a reader sees it.
     *
     * @throws SqlRefusal ER_TABLEACCESS_DENIED_ERROR when it may name tables that the reader may not read
     */
    String logicalDefinition(TableName logical, String definition) {
        if (names.isIdentity() && reads.isAll()) {
            return definition;
        }
        TableName own = physical(logical);
        UnaryOperator<TableName> referred = names.isIdentity() ? UnaryOperator.identity() : names.mapping();
        return new CreateTableAnswer(definition, own.schema(), logical, referred, reads).shown();
    }
}
