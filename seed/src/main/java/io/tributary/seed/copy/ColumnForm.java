package io.tributary.seed.copy;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.seed.session.SqlNames;

/**
 * How the values of a column are read, compared and written so that nothing of them is lost.
 *
 * @param column its name
 * @param selected the expression that is read
 * @param compared the expression that is compared with a literal of its key
 * @param form how its values are written
 * @param literal before a value of a key in hexadecimal digits: {@code _latin1 x}, or {@code x}; for BYTES and TEXT
 */
record ColumnForm(String column, String selected, String compared, ValueForm form, String literal) {
    /** The table's alias in statements, so that no name is that of an expression. */
    static final String ALIAS = "t";

    static ColumnForm of(Column column) {
        String name = ALIAS + "." + SqlNames.name(column.name());
        SqlType type = column.type();
        String number = "CAST(" + name + " AS UNSIGNED)";
        return switch (type.name()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "year" ->
                plain(column, name, ValueForm.NUMBER, "");
            // FLOAT is shown with 6 digits, and both with their declared number of decimals
            case "float", "double" -> new ColumnForm(column.name(), name + "*1e0", name, ValueForm.FLOAT, "");
            case "bit" -> new ColumnForm(column.name(), name + "+0", name, ValueForm.NUMBER, "");
            case "enum" -> new ColumnForm(column.name(), number, name, ValueForm.ENUM, "");
            case "set" -> new ColumnForm(column.name(), number, number, ValueForm.NUMBER, "");
            case "date", "time", "datetime", "timestamp" -> plain(column, name, ValueForm.QUOTED, "");
            // the other types of MariaDB, such as UUID, take a binary text for their stored form
            case "json", "uuid", "inet4", "inet6" -> plain(column, name, ValueForm.TEXT, "_utf8mb4 x");
            default -> plain(column, name, ValueForm.BYTES, type.isCharacter() ? "_" + charset(type) + " x" : "x");
        };
    }

    private static ColumnForm plain(Column column, String name, ValueForm form, String literal) {
        return new ColumnForm(column.name(), name, name, form, literal);
    }

    /** The name that every version knows: 5.7 and MariaDB do not have the introducer _utf8mb3. */
    private static String charset(SqlType type) {
        String charset = type.charset();
        return charset.equals("utf8mb3") ? "utf8" : charset.isEmpty() ? "binary" : charset;
    }
}
