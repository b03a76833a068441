package io.tributary.schema.write;

import io.tributary.common.value.TableName;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.sql.SqlNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a definition as CREATE TABLE, for a session with backslash escapes and without ANSI_QUOTES. */
public final class CreateTable {
    private CreateTable() {}

    /** The statement in canonical form, names in backquotes and qualified with the schema; reading it gives an equal definition. */
    public static String text(TableDefinition definition) {
        List<String> lines = new ArrayList<>();
        definition.columns().forEach(column -> lines.add(column(column, definition.collation())));
        definition.keys().forEach(key -> lines.add(key(key)));
        definition.foreignKeys().forEach(key -> lines.add(foreignKey(key)));
        definition.checks().forEach(check -> lines.add(check(check)));
        return "CREATE TABLE " + table(definition.name()) + " (\n  " + String.join(",\n  ", lines) + "\n)"
                + collation(" DEFAULT CHARSET=", " COLLATE=", definition.collation());
    }

    static String table(TableName name) {
        return name.schema().isEmpty() ? SqlNames.name(name.table()) : SqlNames.name(name);
    }

    private static String quotedAll(List<String> names) {
        return names.stream().map(SqlNames::name).collect(Collectors.joining(",", "(", ")"));
    }

    static String collation(String charset, String collate, String collation) {
        if (collation.isEmpty()) {
            return "";
        }
        String name = Collations.named(collation)
                .map(Collation::charset)
                .orElse(SqlType.of("char").withCollation(collation).charset());
        return charset + name + collate + collation;
    }

    /** The definition of a column, beginning with its name. */
    static String column(Column column, String tableCollation) {
        SqlType type = column.type();
        StringBuilder text =
                new StringBuilder(SqlNames.name(column.name())).append(' ').append(type(type));
        if (!type.collation().equals(tableCollation)) {
            text.append(collation(" CHARACTER SET ", " COLLATE ", type.collation()));
        }
        column.generation()
                .ifPresent(own -> text.append(" GENERATED ALWAYS AS (")
                        .append(own.expression())
                        .append(own.stored() ? ") STORED" : ") VIRTUAL"));
        text.append(column.nullable() ? " NULL" : " NOT NULL");
        if (type.srid() != SqlType.ANY_SRID) {
            text.append(" /*!80003 SRID ").append(type.srid()).append(" */");
        }
        if (column.generation().isEmpty()) {
            text.append(defaultClause(column));
        }
        text.append(column.onUpdate().isEmpty() ? "" : " ON UPDATE " + column.onUpdate());
        text.append(column.autoIncrement() ? " AUTO_INCREMENT" : "");
        return text.append(column.visible() ? "" : " /*!80023 INVISIBLE */").toString();
    }

    /** A type as COLUMN_TYPE in information_schema.COLUMNS. */
    public static String typeText(SqlType type) {
        return type(type);
    }

    private static String type(SqlType type) {
        StringBuilder text = new StringBuilder(type.name());
        if (type.hasValues()) {
            text.append(type.values().stream().map(CreateTable::string).collect(Collectors.joining(",", "(", ")")));
        } else if (type.length() > 0 && (type.name().equals("decimal") || isFloating(type))) {
            text.append('(')
                    .append(type.length())
                    .append(',')
                    .append(type.decimals())
                    .append(')');
        } else if (type.length() > 0
                || type.name().endsWith("char")
                || type.name().endsWith("binary")) {
            text.append('(').append(type.length()).append(')');
        } else if (type.decimals() > 0) {
            text.append('(').append(type.decimals()).append(')');
        }
        text.append(type.unsigned() ? " unsigned" : "");
        return text.append(type.zerofill() ? " zerofill" : "").toString();
    }

    private static boolean isFloating(SqlType type) {
        return type.name().equals("float") || type.name().equals("double");
    }

    private static String defaultClause(Column column) {
        if (column.defaultValue() instanceof Default.Literal literal) {
            return " DEFAULT " + constant(literal.value(), column.type());
        }
        if (column.defaultValue() instanceof Default.Expression expression) {
            boolean bare = expression.isCurrentTimestamp();
            return " DEFAULT " + (bare ? expression.text() : "(" + expression.text() + ")");
        }
        return column.defaultValue() instanceof Default.Null ? " DEFAULT NULL" : "";
    }

    private static String constant(String value, SqlType type) {
        return switch (type.name()) {
            case "bit" -> "b'" + value + "'";
            case "binary", "varbinary" ->
                value.isEmpty() ? "''" : "0x" + HexFormat.of().formatHex(value.getBytes(StandardCharsets.ISO_8859_1));
            default -> string(value);
        };
    }

    private static String string(String value) {
        return "'"
                + value.replace("\\", "\\\\")
                        .replace("'", "''")
                        .replace("\0", "\\0")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + "'";
    }

    static String key(TableKey key) {
        String name = SqlNames.name(key.name());
        String kind = switch (key.kind()) {
            case PRIMARY -> "PRIMARY KEY";
            case UNIQUE -> "UNIQUE KEY " + name;
            case PLAIN -> "KEY " + name;
            case FULLTEXT -> "FULLTEXT KEY " + name;
            case SPATIAL -> "SPATIAL KEY " + name;
        };
        String parts = key.parts().stream().map(CreateTable::part).collect(Collectors.joining(",", " (", ")"));
        return kind + parts + (key.visible() ? "" : " /*!80000 INVISIBLE */");
    }

    private static String part(KeyPart part) {
        String text = part.isExpression() ? "(" + part.expression() + ")" : SqlNames.name(part.column());
        return text + (part.prefix() > 0 ? "(" + part.prefix() + ")" : "") + (part.descending() ? " DESC" : "");
    }

    static String foreignKey(ForeignKey key) {
        StringBuilder text = new StringBuilder("CONSTRAINT ")
                .append(SqlNames.name(key.name()))
                .append(" FOREIGN KEY ")
                .append(quotedAll(key.columns()))
                .append(" REFERENCES ")
                .append(table(key.referenced()));
        if (!key.referencedColumns().isEmpty()) {
            text.append(' ').append(quotedAll(key.referencedColumns()));
        }
        text.append(key.onDelete().equals(ForeignKey.NO_ACTION) ? "" : " ON DELETE " + key.onDelete());
        return text.append(key.onUpdate().equals(ForeignKey.NO_ACTION) ? "" : " ON UPDATE " + key.onUpdate())
                .toString();
    }

    static String check(Check check) {
        return "CONSTRAINT " + SqlNames.name(check.name()) + " CHECK (" + check.expression() + ")"
                + (check.enforced() ? "" : " /*!80016 NOT ENFORCED */");
    }
}
