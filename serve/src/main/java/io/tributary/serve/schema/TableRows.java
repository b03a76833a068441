package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.write.CreateTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rows of information_schema for a table, made from its definition: values by column names, {@code Long} for numbers. Values that a
 * definition does not contain, such as comments and statistics, are absent.
 */
final class TableRows {
    /** Tables of information_schema whose rows can be made from definitions. */
    static final Set<String> VIEWS =
            Set.of("TABLES", "COLUMNS", "STATISTICS", "KEY_COLUMN_USAGE", "TABLE_CONSTRAINTS", "SCHEMATA");

    private static final String CATALOG = "def";
    private static final String CONSTRAINT_NAME = "CONSTRAINT_NAME";
    private static final String COLUMN_NAME = "COLUMN_NAME";

    private static final Map<String, Long> DIGITS = Map.of(
            "tinyint", 3L, "smallint", 5L, "mediumint", 7L, "int", 10L, "bigint", 19L, "float", 12L, "double", 22L);

    private static final Map<String, Long> LARGEST =
            Map.of("tiny", 255L, "", 65_535L, "medium", 16_777_215L, "long", 4_294_967_295L);

    private final TableDefinition table;

    TableRows(TableDefinition table) {
        this.table = table;
    }

    /** The rows of one of {@link #VIEWS}, in the order in which a server shows them. */
    List<Map<String, Object>> of(String view) {
        return switch (view) {
            case "TABLES" -> List.of(tableRow());
            case "COLUMNS" -> table.columns().stream().map(this::columnRow).toList();
            case "STATISTICS" -> statistics();
            case "KEY_COLUMN_USAGE" -> keyColumns();
            case "TABLE_CONSTRAINTS" -> constraints();
            case "SCHEMATA" -> List.of(schemaRow());
            default -> throw new IllegalArgumentException(view);
        };
    }

    private Map<String, Object> row(String prefix) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put(prefix + "_CATALOG", CATALOG);
        row.put(prefix + "_SCHEMA", table.name().schema());
        return row;
    }

    private Map<String, Object> named() {
        Map<String, Object> row = row("TABLE");
        row.put("TABLE_NAME", table.name().table());
        return row;
    }

    private Map<String, Object> schemaRow() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("CATALOG_NAME", CATALOG);
        row.put("SCHEMA_NAME", table.name().schema());
        return row;
    }

    private Map<String, Object> tableRow() {
        Map<String, Object> row = named();
        row.put("TABLE_TYPE", "BASE TABLE");
        row.put("TABLE_COLLATION", table.collation().isEmpty() ? null : table.collation());
        row.put("CREATE_OPTIONS", "");
        row.put("TABLE_COMMENT", "");
        return row;
    }

    // ---- columns

    private Map<String, Object> columnRow(Column column) {
        SqlType type = column.type();
        Map<String, Object> row = named();
        row.put(COLUMN_NAME, column.name());
        row.put("ORDINAL_POSITION", table.indexOf(column.name()) + 1L);
        row.put("COLUMN_DEFAULT", defaultOf(column));
        row.put("IS_NULLABLE", column.nullable() ? "YES" : "NO");
        row.put("DATA_TYPE", type.name());
        length(type, row);
        precision(type, row);
        Collation collation = Collations.named(type.collation()).orElse(null);
        if (!type.collation().isEmpty()) {
            row.put("CHARACTER_SET_NAME", collation == null ? type.charset() : collation.charset());
            row.put("COLLATION_NAME", type.collation());
        }
        row.put("COLUMN_TYPE", CreateTable.typeText(type));
        row.put("COLUMN_KEY", keyOf(column));
        row.put("EXTRA", extra(column));
        row.put("PRIVILEGES", "select");
        row.put("COLUMN_COMMENT", "");
        row.put(
                "GENERATION_EXPRESSION",
                column.generation().map(own -> shown(own.expression())).orElse(""));
        if (type.srid() != SqlType.ANY_SRID) {
            row.put("SRS_ID", type.srid());
        }
        return row;
    }

    private static String defaultOf(Column column) {
        if (column.defaultValue() instanceof Default.Literal literal) {
            return switch (column.type().name()) {
                case "bit" -> "b'" + literal.value() + "'";
                case "binary", "varbinary" ->
                    "0x"
                            + HexFormat.of()
                                    .withUpperCase()
                                    .formatHex(literal.value().getBytes(StandardCharsets.ISO_8859_1));
                default -> literal.value();
            };
        }
        return column.defaultValue() instanceof Default.Expression expression ? shown(expression.text()) : null;
    }

    /** An expression as a server shows it: one with operators in brackets, a call or a constant without. */
    private static String shown(String expression) {
        int depth = 0;
        char quote = 0;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (quote != 0) {
                i += c == '\\' && quote != '`' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == ' ' && depth == 0) {
                return "(" + expression + ")";
            } else {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            }
        }
        return expression;
    }

    private static void length(SqlType type, Map<String, Object> row) {
        String name = type.name();
        Long characters = null;
        long width =
                Collations.named(type.collation()).map(Collation::maxLength).orElse(1);
        if (name.equals("char") || name.equals("varchar") || name.equals("binary") || name.equals("varbinary")) {
            characters = (long) type.length();
        } else if (name.equals("enum")) {
            characters = type.values().stream()
                    .mapToLong(TableRows::characters)
                    .max()
                    .orElse(0);
        } else if (name.equals("set")) {
            characters = type.values().stream().mapToLong(TableRows::characters).sum()
                    + type.values().size()
                    - 1;
        } else if (name.endsWith("text") || name.endsWith("blob")) {
            characters = LARGEST.get(name.substring(0, name.length() - 4));
            width = 1;
        }
        if (characters != null) {
            row.put("CHARACTER_MAXIMUM_LENGTH", characters);
            row.put("CHARACTER_OCTET_LENGTH", characters * width);
        }
    }

    private static long characters(String text) {
        return text.codePointCount(0, text.length());
    }

    private static void precision(SqlType type, Map<String, Object> row) {
        switch (type.name()) {
            case "tinyint", "smallint", "mediumint", "int" -> {
                row.put("NUMERIC_PRECISION", DIGITS.get(type.name()));
                row.put("NUMERIC_SCALE", 0L);
            }
            case "bigint" -> {
                row.put("NUMERIC_PRECISION", type.unsigned() ? 20L : 19L);
                row.put("NUMERIC_SCALE", 0L);
            }
            case "decimal" -> {
                row.put("NUMERIC_PRECISION", (long) type.length());
                row.put("NUMERIC_SCALE", (long) type.decimals());
            }
            case "float", "double" -> {
                row.put("NUMERIC_PRECISION", type.length() > 0 ? (long) type.length() : DIGITS.get(type.name()));
                if (type.length() > 0) {
                    row.put("NUMERIC_SCALE", (long) type.decimals());
                }
            }
            case "bit" -> row.put("NUMERIC_PRECISION", (long) type.length());
            case "datetime", "timestamp", "time" -> row.put("DATETIME_PRECISION", (long) type.decimals());
            default -> {}
        }
    }

    private String keyOf(Column column) {
        if (table.rowKey().filter(key -> has(key, column)).isPresent()) {
            return "PRI";
        }
        boolean isUnique = false;
        boolean isFirst = false;
        for (TableKey key : table.keys()) {
            if (key.parts().get(0).column().equalsIgnoreCase(column.name())) {
                isFirst = true;
                isUnique |= key.isUnique() && key.parts().size() == 1;
            }
        }
        return isUnique ? "UNI" : isFirst ? "MUL" : "";
    }

    private static boolean has(TableKey key, Column column) {
        return key.parts().stream().anyMatch(part -> part.column().equalsIgnoreCase(column.name()));
    }

    private static String extra(Column column) {
        List<String> words = new ArrayList<>();
        if (column.autoIncrement()) {
            words.add("auto_increment");
        }
        column.generation().ifPresent(own -> words.add(own.stored() ? "STORED GENERATED" : "VIRTUAL GENERATED"));
        if (column.generation().isEmpty() && column.defaultValue() instanceof Default.Expression) {
            words.add("DEFAULT_GENERATED");
        }
        if (!column.onUpdate().isEmpty()) {
            words.add("on update " + column.onUpdate());
        }
        if (!column.visible()) {
            words.add("INVISIBLE");
        }
        return String.join(" ", words);
    }

    // ---- keys

    private List<Map<String, Object>> statistics() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (TableKey key : table.keys()) {
            long number = 0;
            for (KeyPart part : key.parts()) {
                rows.add(indexRow(key, part, ++number));
            }
        }
        return rows;
    }

    private Map<String, Object> indexRow(TableKey key, KeyPart part, long number) {
        boolean isText = key.kind() == TableKey.Kind.FULLTEXT;
        boolean isSpatial = key.kind() == TableKey.Kind.SPATIAL;
        Map<String, Object> row = named();
        row.put("NON_UNIQUE", key.isUnique() ? 0L : 1L);
        row.put("INDEX_SCHEMA", table.name().schema());
        row.put("INDEX_NAME", key.name());
        row.put("SEQ_IN_INDEX", number);
        row.put(COLUMN_NAME, part.isExpression() ? null : part.column());
        row.put("COLLATION", isText ? null : part.descending() ? "D" : "A");
        row.put("SUB_PART", isSpatial ? Long.valueOf(32) : part.prefix() > 0 ? Long.valueOf(part.prefix()) : null);
        boolean allowsNull = part.isExpression()
                || table.column(part.column()).map(Column::nullable).orElse(true);
        row.put("NULLABLE", allowsNull ? "YES" : "");
        row.put("INDEX_TYPE", isText ? "FULLTEXT" : isSpatial ? "SPATIAL" : "BTREE");
        row.put("COMMENT", "");
        row.put("INDEX_COMMENT", "");
        row.put("IS_VISIBLE", key.visible() ? "YES" : "NO");
        row.put("EXPRESSION", part.isExpression() ? shown(part.expression()) : null);
        return row;
    }

    private List<Map<String, Object>> keyColumns() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (TableKey key : table.keys()) {
            long number = 0;
            for (KeyPart part : key.parts()) {
                number++;
                if (key.isUnique() && !part.isExpression()) {
                    rows.add(keyColumn(key.name(), part.column(), number));
                }
            }
        }
        for (ForeignKey key : table.foreignKeys()) {
            for (int i = 0; i < key.columns().size(); i++) {
                Map<String, Object> row = keyColumn(key.name(), key.columns().get(i), i + 1L);
                TableName other = key.referenced();
                row.put("POSITION_IN_UNIQUE_CONSTRAINT", i + 1L);
                row.put(
                        "REFERENCED_TABLE_SCHEMA",
                        other.schema().isEmpty() ? table.name().schema() : other.schema());
                row.put("REFERENCED_TABLE_NAME", other.table());
                row.put(
                        "REFERENCED_COLUMN_NAME",
                        i < key.referencedColumns().size()
                                ? key.referencedColumns().get(i)
                                : null);
                rows.add(row);
            }
        }
        return rows;
    }

    private Map<String, Object> keyColumn(String constraint, String column, long number) {
        Map<String, Object> row = row("CONSTRAINT");
        row.put(CONSTRAINT_NAME, constraint);
        row.putAll(named());
        row.put(COLUMN_NAME, column);
        row.put("ORDINAL_POSITION", number);
        return row;
    }

    private List<Map<String, Object>> constraints() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (TableKey key : table.keys()) {
            if (key.isUnique()) {
                rows.add(constraint(key.name(), key.kind() == TableKey.Kind.PRIMARY ? "PRIMARY KEY" : "UNIQUE", true));
            }
        }
        table.foreignKeys().forEach(key -> rows.add(constraint(key.name(), "FOREIGN KEY", true)));
        table.checks().forEach(check -> rows.add(constraint(check.name(), "CHECK", check.enforced())));
        return rows;
    }

    private Map<String, Object> constraint(String name, String kind, boolean isEnforced) {
        Map<String, Object> row = row("CONSTRAINT");
        row.put(CONSTRAINT_NAME, name);
        row.put("TABLE_SCHEMA", table.name().schema());
        row.put("TABLE_NAME", table.name().table());
        row.put("CONSTRAINT_TYPE", kind);
        row.put("ENFORCED", (isEnforced ? "yes" : "no").toUpperCase(Locale.ROOT));
        return row;
    }
}
