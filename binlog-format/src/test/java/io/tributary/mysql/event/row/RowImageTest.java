package io.tributary.mysql.event.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.Binlog;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decodes rows that a real server wrote. */
class RowImageTest {
    private static final BigInteger MOST = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private final Binlog file = Binlog.golden("golden.000001");

    @Test
    void decodesTheLargestAndLeastNumbers() {
        Map<String, Object> row = writtenRow(0);
        assertEquals(1L, row.get("id"));
        assertEquals(-128L, row.get("c_tiny"));
        assertEquals(255L, row.get("c_utiny"));
        assertEquals(-32768L, row.get("c_small"));
        assertEquals(65535L, row.get("c_usmall"));
        assertEquals(-8388608L, row.get("c_medium"));
        assertEquals(16777215L, row.get("c_umedium"));
        assertEquals(-2147483648L, row.get("c_int"));
        assertEquals(4294967295L, row.get("c_uint"));
        assertEquals(2024L, row.get("c_year"));
        assertEquals(Long.MIN_VALUE, row.get("c_big"));
        assertEquals(MOST, row.get("c_ubig"));
        assertEquals(new BigDecimal("-12345678901234567890.0123456789"), row.get("c_dec"));
        assertEquals(new BigDecimal("123.45"), row.get("c_dec5"));
        assertEquals(
                new BigDecimal("12345678901234567890123456789012345678901234567890123456789012345"),
                row.get("c_dec65"));
        assertEquals(1.5f, row.get("c_float"));
        assertEquals(-2.25e100, row.get("c_double"));
        assertEquals(1L, row.get("c_bit1"));
        assertEquals(0xaaaaaL, row.get("c_bit"));
        assertEquals(0x8000000000000001L, row.get("c_bit64"));
        assertEquals(MOST, row.get("c_ulast"));
    }

    @Test
    void decodesTimesToMysqlsText() {
        Map<String, Object> row = writtenRow(0);
        assertEquals("2024-02-29", row.get("c_date"));
        assertEquals("-838:59:59", row.get("c_time"));
        assertEquals("12:34:56.7", row.get("c_time1"));
        assertEquals("-00:00:01.005", row.get("c_time3"));
        assertEquals("-12:34:56.000001", row.get("c_time6"));
        assertEquals("2024-01-02 03:04:05", row.get("c_datetime"));
        assertEquals("1000-01-01 00:00:00.25", row.get("c_datetime2"));
        assertEquals("9999-12-31 23:59:59.999999", row.get("c_datetime6"));
        assertEquals("1970-01-01 00:00:01", row.get("c_ts"));
        assertEquals("2038-01-19 03:14:07.1234", row.get("c_ts4"));
    }

    @Test
    void decodesTextByItsCharacterSetAndKeepsBinaryAsBytes() {
        Map<String, Object> row = writtenRow(0);
        assertEquals("char", row.get("c_char"));
        assertEquals("ä".repeat(100), row.get("c_charlong"));
        assertEquals("grün", row.get("c_varchar"));
        assertEquals("x".repeat(300), row.get("c_varcharlong"));
        assertEquals("Grüße", row.get("c_latin"));
        assertArrayEquals(new byte[] {0, -1}, (byte[]) row.get("c_binary"));
        assertArrayEquals(new byte[] {0, 1, 2}, (byte[]) row.get("c_varbinary"));
        assertEquals("tiny", row.get("c_tinytext"));
        assertEquals("long", row.get("c_longtext"));
        assertArrayEquals(new byte[] {1}, (byte[]) row.get("c_tinyblob"));
        assertArrayEquals(new byte[] {4, 5, 6}, (byte[]) row.get("c_longblob"));
        assertEquals(2L, row.get("c_enum"));
        assertEquals(0b1_0000_0101L, row.get("c_set"));
        assertEquals(0, ((byte[]) row.get("c_json"))[0]);
        assertEquals(25, ((byte[]) row.get("c_geo")).length);
    }

    @Test
    void decodesNullsAndZeros() {
        Map<String, Object> nulls = writtenRow(1);
        assertEquals(2L, nulls.remove("id"));
        assertEquals(49, nulls.size());
        nulls.forEach((name, value) -> assertNull(value, name));
        Map<String, Object> zeros = writtenRow(2);
        assertEquals(0L, zeros.get("c_year"));
        assertEquals("00:00:00.000000", zeros.get("c_time6"));
        assertEquals(new BigDecimal("0E-10"), zeros.get("c_dec"));
        assertEquals("", zeros.get("c_varchar"));
        assertEquals("2000-01-01 00:00:00.0001", zeros.get("c_ts4"));
    }

    @Test
    void distinguishesTheImageBeforeFromTheImageAfter() {
        int at = file.nth(EventType.UPDATE_ROWS_EVENT, 0);
        assertTrue(RowsEvent.hasAllColumns(file.view, at));
        List<String> changes = new ArrayList<>();
        RowImage.forEach(
                file.view,
                at,
                file.end(at),
                file.shapeBefore(at),
                (before, after) -> changes.add(before[7] + ">" + after[7] + " " + after[33]));
        assertEquals(List.of("-2147483648>1 null", "null>2 null"), changes);
        int delete = file.nth(EventType.DELETE_ROWS_EVENT, 0);
        RowImage.forEach(file.view, delete, file.end(delete), file.shapeBefore(delete), (before, after) -> {
            assertEquals(2L, before[0]);
            assertNull(after);
        });
    }

    @Test
    void marksColumnsThatAMinimalImageLeavesOut() {
        int at = file.nth(EventType.UPDATE_ROWS_EVENT, 1);
        assertFalse(RowsEvent.hasAllColumns(file.view, at));
        RowImage.forEach(file.view, at, file.end(at), file.shapeBefore(at), (before, after) -> {
            assertEquals(1L, before[0]);
            assertEquals(RowImage.ABSENT, before[7]);
            assertEquals(RowImage.ABSENT, after[0]);
            assertEquals(77L, after[7]);
        });
    }

    @Test
    void keepsPartialJsonAsDifferences() {
        int at = file.nth(EventType.PARTIAL_UPDATE_ROWS_EVENT, 0);
        List<Object[]> rows = new ArrayList<>();
        RowImage.forEach(
                file.view,
                at,
                file.end(at),
                file.shapeBefore(at),
                (before, after) -> rows.add(new Object[] {before[1], after[1], after[2], after[3]}));
        assertEquals(1, rows.size());
        assertTrue(rows.get(0)[0] instanceof byte[]);
        assertTrue(rows.get(0)[1] instanceof RowImage.JsonDiff diff && diff.bytes().length > 0);
        assertTrue(rows.get(0)[2] instanceof byte[]);
        assertEquals("n", rows.get(0)[3]);
    }

    @Test
    void rejectsRowsOfAnotherShape() {
        int rows = file.nth(EventType.WRITE_ROWS_EVENT, 0);
        int other = file.ofType(EventType.TABLE_MAP_EVENT).get(8);
        TableShape shape = TableShape.of(file.view, other, file.end(other));
        String message = assertThrows(
                        TributaryException.class,
                        () -> RowImage.forEach(file.view, rows, file.end(rows), shape, (before, after) -> {}))
                .getMessage();
        assertTrue(message.contains("expected " + shape.columnCount() + " columns"), message);
    }

    private Map<String, Object> writtenRow(int n) {
        int at = file.nth(EventType.WRITE_ROWS_EVENT, n);
        TableShape shape = file.shapeBefore(at);
        assertEquals("bank.kinds", shape.schema() + "." + shape.table());
        Map<String, Object> row = new HashMap<>();
        RowImage.forEach(file.view, at, file.end(at), shape, (before, after) -> {
            assertNull(before);
            for (int i = 0; i < after.length; i++) {
                row.put(shape.name(i), after[i]);
            }
        });
        return row;
    }
}
