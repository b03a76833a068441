package io.tributary.sink.mask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.MaskedRows;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.sink.json.RecordedBinlog;
import io.tributary.testkit.server.MysqlOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Values that are replaced, in rows events of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ColumnMasksTest {
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private RecordedBinlog binlog;

    @BeforeAll
    void start() throws Exception {
        binlog = new RecordedBinlog(MysqlOptions.named("masks"));
    }

    @AfterAll
    void end() throws Exception {
        binlog.close();
    }

    private static ColumnMasks masks(Map<String, ValueMask> columns) {
        return new ColumnMasks((table, column) -> Optional.ofNullable(columns.get(column)), KEY);
    }

    /** The values of all images of a table, NULL as null. */
    private List<List<String>> rows(String table, ColumnMasks masks) throws Exception {
        List<List<String>> images = new ArrayList<>();
        for (RecordedBinlog.Entry entry : binlog.read()) {
            if (entry.table() == null || !entry.table().name().table().equals(table)) {
                continue;
            }
            MaskedRows masked = masks.of(entry.table()).orElseThrow();
            ByteBuffer event = masked.of(ByteBuffer.wrap(entry.event()), 0, entry.event().length);
            RowChange change = new RowChange();
            change.begin(entry.table(), event, 0, event.limit());
            while (change.next()) {
                images.add(values(entry.table(), change.before()));
                if (change.before() != change.after()) {
                    images.add(values(entry.table(), change.after()));
                }
            }
        }
        return images;
    }

    private static List<String> values(ChangeTable table, RowImage image) {
        List<String> values = new ArrayList<>();
        for (ChangeColumn column : table.columns()) {
            values.add(
                    column.isNull(image)
                            ? null
                            : switch (column.kind()) {
                                case TEXT -> column.characters(image);
                                case BYTES -> new String(column.bytes(image), StandardCharsets.ISO_8859_1);
                                default -> Long.toString(column.integer(image));
                            });
        }
        return values;
    }

    private static String hash(byte[] value) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(value), 0, 16);
    }

    @Test
    void eachImageHasTheMasksAndTheOtherValuesStay() throws Exception {
        binlog.sql()
                .execute(
                        "CREATE TABLE d.people (id INT PRIMARY KEY, email VARCHAR(20), wide VARCHAR(300) CHARACTER SET utf32,"
                                + " card CHAR(16) CHARACTER SET latin1, phone BIGINT, note TEXT, raw VARBINARY(10), age INT)",
                        "INSERT INTO d.people VALUES (1, 'zoe@example.com', 'zoe@example.com', '4111', 49, 'n\u00f6te', 'ab', 5),"
                                + " (2, NULL, NULL, NULL, NULL, NULL, NULL, 6)",
                        "UPDATE d.people SET email = 'x', age = 7 WHERE id = 1",
                        "DELETE FROM d.people");
        ColumnMasks masks = masks(Map.of(
                "email", ValueMask.HASH,
                "wide", ValueMask.HASH,
                "card", ValueMask.STARS,
                "phone", ValueMask.NULL,
                "raw", ValueMask.HASH));
        String email = hash("zoe@example.com".getBytes(StandardCharsets.UTF_8));
        String raw = hash("ab".getBytes(StandardCharsets.UTF_8));
        String x = hash("x".getBytes(StandardCharsets.UTF_8));
        List<String> first = row("1", email, email, "*****", null, "n\u00f6te", raw, "5");
        List<String> second = row("2", null, null, null, null, null, null, "6");
        List<String> changed = row("1", x, email, "*****", null, "n\u00f6te", raw, "7");
        assertEquals(List.of(first, second, first, changed, changed, second), rows("people", masks));
    }

    private static List<String> row(String... values) {
        return Arrays.asList(values);
    }

    @Test
    void masksThatAColumnCannotHaveAreRefused() throws Exception {
        binlog.sql()
                .execute(
                        "CREATE TABLE d.fixed (id VARCHAR(10) PRIMARY KEY, name VARCHAR(10) NOT NULL, size INT, kind ENUM('a'))",
                        "INSERT INTO d.fixed VALUES ('k', 'n', 1, 'a')");
        ChangeTable table = binlog.read().stream()
                .map(RecordedBinlog.Entry::table)
                .filter(each -> each != null && each.name().table().equals("fixed"))
                .findFirst()
                .orElseThrow();
        assertRefused(table, "id", ValueMask.STARS, "of the key");
        assertRefused(table, "name", ValueMask.NULL, "can be NULL");
        assertRefused(table, "size", ValueMask.HASH, "texts or bytes");
        assertRefused(table, "kind", ValueMask.STARS, "texts or bytes");
        assertTrue(masks(Map.of("id", ValueMask.HASH)).of(table).isPresent(), "a hash keeps keys apart");
        assertTrue(masks(Map.of("other", ValueMask.HASH)).of(table).isEmpty());
    }

    private static void assertRefused(ChangeTable table, String column, ValueMask mask, String part) {
        TributaryException error = assertThrows(
                TributaryException.class, () -> masks(Map.of(column, mask)).of(table));
        assertEquals(ErrorCode.SINK_TABLE_UNFIT, error.code());
        assertTrue(
                error.getMessage().contains(part) && error.getMessage().contains("column " + column),
                error.getMessage());
    }
}
