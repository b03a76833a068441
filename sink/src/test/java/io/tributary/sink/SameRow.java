package io.tributary.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.function.UnaryOperator;

/** Compares a row that was read from a message with the one that the server returned. */
public final class SameRow {
    private SameRow() {}

    /**
     * Fails if a value differs; floating-point numbers are compared as such.
     *
     * @param names the name in the message of a column
     */
    public static void check(
            Map<String, String> expected, Map<String, String> found, Map<String, String> types, UnaryOperator<String> names) {
        for (Map.Entry<String, String> column : types.entrySet()) {
            String name = column.getKey();
            String want = expected.get(name);
            String have = found.get(names.apply(name));
            String where = "column " + name + " of row " + expected.get("id");
            if (want != null && have != null && column.getValue().equals("float")) {
                assertEquals(Double.parseDouble(want), (double) Float.parseFloat(have), where);
            } else if (want != null && have != null && column.getValue().equals("double")) {
                assertEquals(Double.parseDouble(want), Double.parseDouble(have), where);
            } else {
                assertEquals(want, have, where);
            }
        }
    }
}
