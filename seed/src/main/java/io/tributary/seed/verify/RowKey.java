package io.tributary.seed.verify;

import io.tributary.replay.row.RowText;
import io.tributary.schema.definition.Column;
import io.tributary.schema.sql.SqlNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The values of a row key.
 *
 * @param columns of the key, in order
 * @param values one for each column, as text: digits, a time, or its bytes in hexadecimal
 */
public record RowKey(List<Column> columns, List<String> values) {
    public RowKey {
        columns = List.copyOf(columns);
        values = List.copyOf(values);
    }

    /** The condition that is true for the row. */
    public String condition() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            parts.add(name(i) + " = " + literal(i));
        }
        return String.join(" AND ", parts);
    }

    /** The condition for rows after it. */
    String after() {
        return compared(">", ">");
    }

    /** The condition for the row itself and rows before it. */
    String upTo() {
        return compared("<", "<=");
    }

    /** Without row constructors, which do not use an index on every version: a >= 1 AND (a > 1 OR (a = 1 AND b > 2)). */
    private String compared(String strict, String last) {
        int end = columns.size() - 1;
        String text = name(end) + " " + last + " " + literal(end);
        for (int i = end - 1; i >= 0; i--) {
            text = name(i) + " " + strict + "= " + literal(i) + " AND (" + name(i) + " " + strict + " " + literal(i)
                    + " OR (" + name(i) + " = " + literal(i) + " AND " + text + "))";
        }
        return text;
    }

    private String name(int part) {
        return SqlNames.name(columns.get(part).name());
    }

    private String literal(int part) {
        return RowText.literal(columns.get(part), values.get(part));
    }

    /** {@code id=5, name='a'}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            parts.add(columns.get(i).name() + "=" + shown(columns.get(i), values.get(i)));
        }
        return String.join(", ", parts);
    }

    private static String shown(Column column, String value) {
        if (!RowText.isHex(column.type())) {
            return value;
        }
        return column.type().isCharacter()
                ? "'" + new String(HexFormat.of().parseHex(value), StandardCharsets.UTF_8) + "'"
                : "0x" + value;
    }
}
