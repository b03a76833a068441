package io.tributary.replay.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the texts of binary JSON values: by themselves, and against a server that reads them. */
class StoredJsonTest {
    private static final int PREFIX = 4;
    private static MysqlServer server;

    @BeforeAll
    static void start() {
        server = MysqlServer.start(MysqlOptions.named("json"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void scalars() {
        assertEquals("null", text("0400"));
        assertEquals("true", text("0401"));
        assertEquals("false", text("0402"));
        assertEquals("-1", text("05ffff"));
        assertEquals("65535", text("06ffff"));
        assertEquals("-2147483648", text("0700000080"));
        assertEquals("4294967295", text("08ffffffff"));
        assertEquals("-9223372036854775808", text("090000000000000080"));
        assertEquals("18446744073709551615", text("0affffffffffffffff"));
        assertEquals("\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\"", text("0c0a61225c080c0a0d09011f"));
        assertEquals("null", text(""));
    }

    @Test
    void doublesStayDoubles() {
        assertEquals("1.0", ofDouble(1));
        assertEquals("0.0", ofDouble(0));
        assertEquals("-0.0", ofDouble(-0.0));
        assertEquals("0.1", ofDouble(0.1));
        assertEquals("-0.0000000000000015", ofDouble(-1.5e-15));
        assertEquals("-1.5e-16", ofDouble(-1.5e-16));
        assertEquals("1234567890123456.8", ofDouble(1234567890123456.8));
        assertEquals("100000000000000.0", ofDouble(1e14));
        assertEquals("1e15", ofDouble(1e15));
        assertEquals("1.7976931348623157e308", ofDouble(Double.MAX_VALUE));
    }

    private static String ofDouble(double value) {
        ByteBuffer bytes = ByteBuffer.allocate(9).put(0, (byte) 11);
        LittleEndian.putLong(bytes, 1, Double.doubleToRawLongBits(value));
        return StoredJson.text(bytes, 0, 9);
    }

    private static String text(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return StoredJson.text(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    @Test
    void malformedValuesAreRejected() {
        for (String hex : List.of(
                "04", // no literal
                "0403", // unknown literal
                "05ff",
                "0b00",
                "0d00", // unknown type
                "0c0561", // a string that ends too early
                "0cffffffffff", // a length of more than 5 bytes
                "0cffffffff7f61", // a length of 32 GiB
                "0ff603", // a DECIMAL that ends too early
                "0ff602ff00", // a DECIMAL of 255 digits
                "0ff6020500", // a DECIMAL without its digits
                "0f0c020000", // a time of 2 bytes
                "02ffff0400", // more elements than bytes
                "0201000400", // an element outside of its array
                "02010008000c07000161", // an offset that is the end
                "0201000700020000", // an array in itself
                "000100100000000000", // a key within the header
                "03ffffffffffffffff")) {
            TributaryException error = assertThrows(TributaryException.class, () -> text(hex), hex);
            assertEquals(ErrorCode.EVENT_MALFORMED, error.code(), hex);
            assertTrue(error.getMessage().contains("expected"), error.getMessage());
        }
    }

    @Test
    void nestingIsBounded() {
        assertEquals(
                "[".repeat(100) + "]".repeat(100),
                StoredJson.text(nested(100), 0, nested(100).limit()));
        TributaryException error = assertThrows(
                TributaryException.class,
                () -> StoredJson.text(nested(101), 0, nested(101).limit()));
        assertTrue(error.getMessage().contains("at most 100 levels"), error.getMessage());
    }

    /** An array in an array and so on. */
    private static ByteBuffer nested(int depth) {
        byte[] array = {2, 0, 0, 4, 0};
        for (int i = 1; i < depth; i++) {
            ByteBuffer outer = ByteBuffer.allocate(array.length + 7);
            outer.put(0, new byte[] {2, 1, 0, 0, 0, 2, 7, 0});
            LittleEndian.putU16(outer, 3, array.length + 6);
            outer.put(8, array, 1, array.length - 1);
            array = outer.array();
        }
        return ByteBuffer.wrap(array);
    }

    /** Without a bound, 40 arrays of two elements each, which are the same next array, would have 2^40 elements. */
    @Test
    void elementsThatShareBytesAreRejected() {
        int depth = 40;
        ByteBuffer bytes = ByteBuffer.allocate(1 + depth * 10 + 4).put(0, (byte) 2);
        for (int i = 0; i < depth; i++) {
            int at = 1 + 10 * i;
            LittleEndian.putU16(bytes, at, 2);
            LittleEndian.putU16(bytes, at + 2, bytes.limit() - at);
            for (int entry : new int[] {at + 4, at + 7}) {
                LittleEndian.putU8(bytes, entry, 2);
                LittleEndian.putU16(bytes, entry + 1, 10);
            }
        }
        LittleEndian.putU16(bytes, 1 + 10 * depth + 2, 4);
        TributaryException error = assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThrows(TributaryException.class, () -> StoredJson.text(bytes, 0, bytes.limit())));
        assertTrue(error.getMessage().contains("share no bytes"), error.getMessage());
    }

    /** Changed bytes give another text or EVENT_MALFORMED, never another exception. */
    @Test
    void changedBytesNeverFailOtherwise() throws SQLException {
        Random random = new Random(11);
        for (byte[] stored : stored(documents(random, 60))) {
            for (int i = 0; i < 300; i++) {
                byte[] changed = stored.clone();
                for (int j = random.nextInt(3); j >= 0; j--) {
                    changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                }
                int length = random.nextBoolean() ? changed.length : random.nextInt(changed.length + 1);
                try {
                    StoredJson.text(ByteBuffer.wrap(changed), 0, length);
                } catch (TributaryException e) {
                    assertEquals(ErrorCode.EVENT_MALFORMED, e.code());
                }
            }
        }
    }

    /** The server stores the same bytes for the text as for the document, and shows the same text. */
    @Test
    void theServerStoresTheSameValue() throws SQLException {
        Random random = new Random(5);
        List<String> documents = documents(random, 400);
        documents.add("[" + "\"" + "x".repeat(70_000) + "\", 1, 100000, 4294967295, {\"k\": [1.5]}]");
        documents.add("{\"" + "k".repeat(60_000) + "\": \"" + "\u4e2d".repeat(10_000) + "\", \"a\": 70000}");
        documents.add(many(30_000));
        documents.add("[".repeat(100) + "]".repeat(100));
        List<byte[]> stored = stored(documents);
        List<String> texts = stored.stream()
                .map(each -> StoredJson.text(ByteBuffer.wrap(each), 0, each.length))
                .toList();
        List<byte[]> again = stored(texts);
        for (int i = 0; i < texts.size(); i++) {
            assertArrayEquals(stored.get(i), again.get(i), texts.get(i));
        }
        List<String> shown = shown();
        for (int i = 0; i < shown.size(); i++) {
            ByteBuf out = Unpooled.buffer();
            StoredJson.appendShown(out, ByteBuffer.wrap(stored.get(i)), 0, stored.get(i).length);
            assertEquals(shown.get(i), out.toString(StandardCharsets.UTF_8));
        }
    }

    private static String many(int elements) {
        StringBuilder text = new StringBuilder("[0");
        for (int i = 1; i < elements; i++) {
            text.append(", ").append(i % 3 == 0 ? "-" : "").append(i * 7L);
        }
        return text.append(']').toString();
    }

    private static List<String> shown() throws SQLException {
        try (Sql sql = server.sql()) {
            return sql.rows("SELECT CAST(j AS CHAR CHARACTER SET utf8mb4) x FROM d.j ORDER BY id").stream()
                    .map(row -> row.get("x"))
                    .toList();
        }
    }

    /** Of the shortest digits of some DOUBLEs the server reads the next one. */
    @Test
    void theServerReadsTheSameDoubles() throws SQLException {
        Random random = new Random(3);
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            double any = Double.longBitsToDouble(random.nextLong());
            values.add(i % 2 == 0 && Double.isFinite(any) ? any : random.nextGaussian());
        }
        String shown = values.stream().map(DoubleText::shown).collect(Collectors.joining(", ", "[", "]"));
        String texts = values.stream().map(DoubleText::json).collect(Collectors.joining(", ", "[", "]"));
        List<byte[]> stored = stored(List.of(shown, texts));
        // the values are at the end of the array, in order
        List<Integer> differing = new ArrayList<>(List.of(0, 0));
        for (int list = 0; list < 2; list++) {
            ByteBuffer bytes = ByteBuffer.wrap(stored.get(list));
            int values0 = bytes.limit() - 8 * values.size();
            for (int i = 0; i < values.size(); i++) {
                double read = Double.longBitsToDouble(LittleEndian.getLong(bytes, values0 + 8 * i));
                differing.set(list, differing.get(list) + (read == values.get(i) ? 0 : 1));
            }
        }
        assertTrue(differing.get(0) > 100, "of the shortest digits: " + differing);
        assertTrue(differing.get(1) <= 1, "of the digits that are written: " + differing);
    }

    /** The values of SQL types as the server shows them; what it reads of their texts differs. */
    @Test
    void opaqueValuesAreShownAsTheServerShowsThem() throws SQLException {
        try (Sql sql = server.sql()) {
            prepare(sql);
            for (String value : List.of(
                    "CAST(1.50 AS DECIMAL(10,2))",
                    "-99999999999999999999999999999999999.999999999999999999999999999999",
                    "0.000",
                    "CAST('2024-02-29' AS DATE)",
                    "CAST('0000-00-00' AS DATE)",
                    "CAST('-838:59:58.999999' AS TIME(6))",
                    "CAST('01:02:03' AS TIME)",
                    "CAST('9999-12-31 23:59:59.000001' AS DATETIME(6))",
                    "TIMESTAMP('2000-01-01 00:00:00')",
                    "FROM_UNIXTIME(1.5)",
                    "CAST(X'00ff' AS BINARY)",
                    "X''",
                    "REPEAT(X'ff', 200)",
                    "CAST(REPEAT('a', 57) AS BINARY)",
                    "b'10110'",
                    "CAST(1 AS UNSIGNED)",
                    "1.5e0",
                    "ST_GeomFromText('POINT(1 2)')")) {
                sql.execute("INSERT INTO d.j (j) VALUES (JSON_ARRAY(" + value + ", JSON_OBJECT('a', " + value + ")))");
            }
            LoggedImages logged = LoggedImages.of(server, "j");
            List<Map<String, String>> rows =
                    sql.rows("SELECT CAST(j AS CHAR CHARACTER SET utf8mb4) x FROM d.j ORDER BY id");
            for (int i = 0; i < rows.size(); i++) {
                byte[] bytes = logged.images().get(i).bytes(1);
                assertEquals(
                        rows.get(i).get("x"), StoredJson.text(ByteBuffer.wrap(bytes), PREFIX, bytes.length - PREFIX));
            }
        }
    }

    @Test
    void valuesOutsideOfTheBufferAreRejected() {
        ByteBuf out = Unpooled.buffer();
        byte[] bytes = {2, 1, 0, 7, 0, 13, 0, 0};
        assertThrows(TributaryException.class, () -> StoredJson.append(out, ByteBuffer.wrap(bytes), 4, bytes.length));
        assertThrows(TributaryException.class, () -> StoredJson.append(out, ByteBuffer.wrap(bytes), 0, -1));
    }

    private static void prepare(Sql sql) throws SQLException {
        sql.execute(
                "CREATE DATABASE IF NOT EXISTS d",
                "DROP TABLE IF EXISTS d.j",
                "CREATE TABLE d.j (id INT AUTO_INCREMENT PRIMARY KEY, j JSON NOT NULL)",
                "SET sql_mode = 'ALLOW_INVALID_DATES'",
                "FLUSH LOGS");
    }

    /** The bytes that the server stores for these documents, as hexadecimal literals. */
    private static List<byte[]> stored(List<String> documents) throws SQLException {
        try (Sql sql = server.sql()) {
            prepare(sql);
            for (String document : documents) {
                sql.execute("INSERT INTO d.j (j) VALUES (CAST(_utf8mb4 X'"
                        + HexFormat.of().formatHex(document.getBytes(StandardCharsets.UTF_8)) + "' AS JSON))");
            }
        }
        return LoggedImages.of(server, "j").images().stream()
                .map(image -> image.bytes(1))
                .map(bytes -> Arrays.copyOfRange(bytes, PREFIX, bytes.length))
                .toList();
    }

    private static List<String> documents(Random random, int number) {
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            StringBuilder text = new StringBuilder();
            document(text, random, random.nextInt(6));
            documents.add(text.toString());
        }
        return documents;
    }

    private static void document(StringBuilder out, Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 6 : 10);
        switch (kind) {
            case 0 -> out.append(List.of("null", "true", "false").get(random.nextInt(3)));
            case 1 -> out.append(random.nextLong() >> random.nextInt(64));
            case 2 -> out.append(Long.toUnsignedString(random.nextLong()));
            case 3 -> out.append(real(random));
            case 4, 5 -> string(out, random);
            case 6, 7 -> {
                out.append('[');
                int size = random.nextInt(8);
                for (int i = 0; i < size; i++) {
                    out.append(i == 0 ? "" : ",");
                    document(out, random, depth - 1);
                }
                out.append(']');
            }
            default -> {
                out.append('{');
                int size = random.nextInt(8);
                for (int i = 0; i < size; i++) {
                    out.append(i == 0 ? "" : ",");
                    string(out, random);
                    out.append(':');
                    document(out, random, depth - 1);
                }
                out.append('}');
            }
        }
    }

    private static String real(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(1000) + ".0";
            case 1 -> "-0.0";
            case 2 -> Double.toString(random.nextGaussian());
            default -> {
                double any = Double.longBitsToDouble(random.nextLong());
                yield Double.isFinite(any) ? Double.toString(any) : "1e-300";
            }
        };
    }

    private static void string(StringBuilder out, Random random) {
        List<String> parts = List.of(
                "a", "\\\"", "\\\\", "\\n", "\\u0001", "\\u0000", "\u00e9", "\u4e2d", "\ud83d\ude00", "/", "'", " ");
        out.append('"');
        int size = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(8);
        for (int i = 0; i < size; i++) {
            out.append(parts.get(random.nextInt(parts.size())));
        }
        out.append('"');
    }
}
