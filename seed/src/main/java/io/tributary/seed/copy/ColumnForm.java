package io.tributary.seed.copy;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.sql.SqlNames;
import java.util.List;

/**
 * How the values of a column are read, compared and written so that nothing of them is lost.
 *
 * @param column its name
 * @param selected the expression that is read
 * @param compared the expression that is compared with a literal of its key
 * @param form how its values are written
 * @param literal before a value of a key in hexadecimal digits: {@code _latin1 x}, or {@code x}; for BYTES and TEXT
 * @param members the values of an ENUM column as literals, by their numbers from 1: an index is used for comparisons with texts only; empty for
 *     other columns, and if a text may be the one of an invalid value or there are many
 */
record ColumnForm(
        String column, String selected, String compared, ValueForm form, String literal, List<String> members) {
    /** The table's alias in statements, so that no name is that of an expression. */
    static final String ALIAS = "t";

    private static final int MOST_MEMBERS = 1000;

    static ColumnForm of(Column column) {
        String name = ALIAS + "." + SqlNames.name(column.name());
        SqlType type = column.type();
        String number = "CAST(" + name + " AS UNSIGNED)";
        return switch (type.name()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "year" ->
                plain(column, name, ValueForm.NUMBER, "");
            // FLOAT is shown with 6 digits, and both with their declared number of decimals
            case "float", "double" ->
                new ColumnForm(column.name(), name + "*1e0", name, ValueForm.FLOAT, "", List.of());
            case "bit" -> new ColumnForm(column.name(), name + "+0", name, ValueForm.NUMBER, "", List.of());
            case "enum" -> new ColumnForm(column.name(), number, name, ValueForm.ENUM, "", members(type));
            case "set" -> new ColumnForm(column.name(), number, number, ValueForm.NUMBER, "", List.of());
            case "date", "time", "datetime", "timestamp" -> plain(column, name, ValueForm.QUOTED, "");
            // the other types of MariaDB, such as UUID, take a binary text for their stored form
            case "json", "uuid", "inet4", "inet6" -> plain(column, name, ValueForm.TEXT, "_utf8mb4 x");
            default -> plain(column, name, ValueForm.BYTES, type.isCharacter() ? "_" + charset(type) + " x" : "x");
        };
    }

    private static ColumnForm plain(Column column, String name, ValueForm form, String literal) {
        return new ColumnForm(column.name(), name, name, form, literal, List.of());
    }

    /** The name that every version knows: 5.7 and MariaDB do not have the introducer _utf8mb3. */
    private static String charset(SqlType type) {
        String charset = type.charset();
        return charset.equals("utf8mb3") ? "utf8" : charset.isEmpty() ? "binary" : charset;
    }

    private static List<String> members(SqlType type) {
        boolean areTexts = !type.charset().isEmpty() && !type.charset().equals("binary");
        return !areTexts || type.values().contains("") || type.values().size() > MOST_MEMBERS
                ? List.of()
                : type.values().stream().map(SqlNames::literal).toList();
    }

    /** The condition that a value is equal to one of a key. */
    String equal(String value) {
        return compared + " = " + (hasMember(value) ? members.get(Integer.parseInt(value) - 1) : value);
    }

    /** The condition that a value is behind one of a key in the index's order. */
    String behind(String value, boolean descending) {
        if (descending || !hasMember(value)) {
            return compared + (descending ? " < " : " > ") + value;
        }
        List<String> later = members.subList(Integer.parseInt(value), members.size());
        return later.isEmpty() ? "FALSE" : compared + " IN (" + String.join(", ", later) + ")";
    }

    private boolean hasMember(String value) {
        return !members.isEmpty() && !value.equals("0");
    }
}
