package io.tributary.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
            Map<String, String> expected,
            Map<String, String> found,
            Map<String, String> types,
            UnaryOperator<String> names) {
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

    /** The text that our messages have for the bytes of a VECTOR. */
    public static String vector(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN);
        List<String> numbers = new ArrayList<>();
        while (bytes.hasRemaining()) {
            numbers.add(Float.toString(bytes.getFloat()));
        }
        return "[" + String.join(",", numbers) + "]";
    }
}
