package io.tributary.schema.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.row.TableShape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Handmade rows events. */
class RowReshaperTest {
    private static final HandmadeMap.Column A = HandmadeMap.column("a", ColumnType.MYSQL_TYPE_TINY);
    private static final HandmadeMap.Column B = HandmadeMap.column("b", ColumnType.MYSQL_TYPE_TINY);
    private static final HandmadeMap.Column WIDE_B = HandmadeMap.column("b", ColumnType.MYSQL_TYPE_SHORT);
    private static final HandmadeMap.Column C = HandmadeMap.column("c", ColumnType.MYSQL_TYPE_TINY);
    private static final HandmadeMap.Column N = HandmadeMap.column("n", ColumnType.MYSQL_TYPE_TINY);
    private static final HandmadeMap.Column J = HandmadeMap.column("j", ColumnType.MYSQL_TYPE_JSON, 4);
    private static final HandmadeMap.Column K = HandmadeMap.column("k", ColumnType.MYSQL_TYPE_JSON, 4);
    private static final HandmadeMap.Column LONG = HandmadeMap.column("l", ColumnType.MYSQL_TYPE_BLOB, 4);

    private final RowReshaper reshaper = new RowReshaper();

    private static ReshapePlan.Total plan(TableShape from, TableShape to) {
        return assertInstanceOf(
                ReshapePlan.Total.class,
                ReshapePlan.of(from, to, Columns.of(Map.of(), Map.of("n", new AddedValue.Stored(new byte[] {9})))));
    }

    /** The bytes after the flags. */
    private static int[] behindFlags(ByteBuffer event) {
        int[] bytes = new int[event.limit() - 27];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = event.get(27 + i) & 0xff;
        }
        return bytes;
    }

    private void assertReshaped(ReshapePlan.Total plan, ByteBuffer event, int... expected) {
        ByteBuffer result = LoggedRows.reshaped(reshaper, event, plan);
        assertEquals(Arrays.toString(expected), Arrays.toString(behindFlags(result)));
        assertEquals(result.limit(), EventHeader.size(result, 0));
        assertEquals(7, RowsEvent.tableId(result, 0));
        assertEquals(EventHeader.type(event, 0), EventHeader.type(result, 0));
    }

    @Test
    void extraDataOfVersion2StaysAndVersion1HasNone() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(A, B), HandmadeMap.of(N, WIDE_B, A));
        assertReshaped(
                plan,
                HandmadeMap.rows(EventType.WRITE_ROWS_EVENT, 5, 0, 1, 2, 3, 2, 0xff, 0, 1, 0xfe, 2, 4),
                5,
                0,
                1,
                2,
                3,
                3,
                0xff,
                0,
                9,
                0xfe,
                0xff,
                1,
                2,
                9,
                4);
        assertReshaped(
                plan, HandmadeMap.rows(EventType.DELETE_ROWS_EVENT_V1, 2, 0xff, 0, 1, 2), 3, 0xff, 0, 9, 2, 0, 1);
    }

    @Test
    void columnsThatAnImageLacksStayAbsentAndConstantsAreOnlyInWrittenRows() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(A, B, C), HandmadeMap.of(N, C, WIDE_B));
        assertReshaped(
                plan,
                HandmadeMap.rows(EventType.WRITE_ROWS_EVENT, 2, 0, 3, 0b010, 0, 5),
                2,
                0,
                3,
                0b1111_1101,
                0,
                9,
                5,
                0);
        assertReshaped(
                plan,
                HandmadeMap.rows(EventType.UPDATE_ROWS_EVENT, 2, 0, 3, 0b010, 0b100, 0, 5, 1),
                2,
                0,
                3,
                0b1111_1100,
                0b1111_1010,
                0,
                5,
                0,
                1);
        assertReshaped(
                plan,
                HandmadeMap.rows(EventType.UPDATE_ROWS_EVENT, 2, 0, 3, 0b111, 0b100, 0, 1, 2, 3, 0, 4),
                2,
                0,
                3,
                0xff,
                0b1111_1010,
                0,
                9,
                3,
                2,
                0,
                0,
                4);
    }

    @Test
    void anImageBeforeThatWouldBeEmptyIsRejected() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(A, B), HandmadeMap.of(B, N));
        ByteBuffer event = HandmadeMap.rows(EventType.DELETE_ROWS_EVENT, 2, 0, 2, 0b01, 0, 1);
        assertEquals(
                ErrorCode.VALUE_UNCONVERTIBLE,
                assertThrows(TributaryException.class, () -> LoggedRows.reshaped(reshaper, event, plan))
                        .code());
    }

    @Test
    void differencesOfJsonColumnsAreCopiedExceptThoseOfADroppedOne() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(J, A, K), HandmadeMap.of(A, K, N));
        assertReshaped(
                plan,
                HandmadeMap.rows(
                        EventType.PARTIAL_UPDATE_ROWS_EVENT,
                        2,
                        0,
                        3,
                        0b111,
                        0b111,
                        0,
                        1,
                        0,
                        0,
                        0,
                        7,
                        1,
                        1,
                        0,
                        0,
                        0,
                        8,
                        1,
                        0b11,
                        0,
                        2,
                        0,
                        0,
                        0,
                        4,
                        5,
                        1,
                        1,
                        0,
                        0,
                        0,
                        6),
                2,
                0,
                3,
                0xff,
                0xff,
                0,
                1,
                1,
                0,
                0,
                0,
                8,
                9,
                1,
                0b1,
                0,
                1,
                1,
                0,
                0,
                0,
                6,
                9);
        assertReshaped(
                plan,
                HandmadeMap.rows(EventType.PARTIAL_UPDATE_ROWS_EVENT, 2, 0, 3, 0b010, 0b010, 0, 1, 0, 0, 2),
                2,
                0,
                3,
                0b1111_1001,
                0b1111_1001,
                0,
                1,
                0,
                0,
                2);
    }

    @Test
    void aValueThatDoesNotConvertIsReportedByTableAndColumnAndNothingIsWritten() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(A, WIDE_B), HandmadeMap.of(A, B));
        ByteBuffer event = HandmadeMap.rows(EventType.WRITE_ROWS_EVENT, 2, 0, 2, 0xff, 0, 1, 77, 1);
        TributaryException error = assertThrows(
                TributaryException.class,
                () -> reshaper.reshape(event, plan, 7, (view, from, to) -> {
                    throw new AssertionError("written");
                }));
        assertEquals(ErrorCode.VALUE_UNCONVERTIBLE, error.code());
        assertTrue(error.getMessage().contains("d.t") && error.getMessage().contains("column b"), error.getMessage());
        assertFalse(error.getMessage().contains("333"), error.getMessage());
    }

    @Test
    void truncatedRowsAreRejectedWhereverTheyEnd() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(A, LONG, WIDE_B), HandmadeMap.of(N, LONG, B, A));
        ByteBuffer whole = HandmadeMap.rows(EventType.WRITE_ROWS_EVENT, 2, 0, 3, 0xff, 0, 1, 3, 0, 0, 0, 1, 2, 3, 1, 0);
        LoggedRows.reshaped(reshaper, whole, plan);
        for (int end = 32; end < whole.limit(); end++) {
            ByteBuffer cut = ByteBuffer.allocate(end).put(0, whole, 0, end);
            assertEquals(
                    ErrorCode.EVENT_MALFORMED,
                    assertThrows(TributaryException.class, () -> LoggedRows.reshaped(reshaper, cut, plan))
                            .code());
        }
    }

    @Test
    void aLargeRowIsPassedOnWithoutACopyOfItsLargeValue() {
        ReshapePlan.Total plan = plan(HandmadeMap.of(A, LONG), HandmadeMap.of(N, LONG, A));
        int length = 80 << 20;
        ByteBuffer event = ByteBuffer.allocate(41 + length);
        ByteBuffer head = HandmadeMap.rows(EventType.WRITE_ROWS_EVENT, 2, 0, 2, 0xff, 0, 1, 0, 0, 0, 0);
        event.put(0, head, 0, head.limit());
        event.putInt(head.limit() - 4, Integer.reverseBytes(length));
        int end = head.limit() + length;
        EventHeader.setSize(event, 0, end);
        event.limit(end);
        long[] direct = {0};
        long[] all = {0};
        long size = reshaper.reshape(event, plan, 7, (view, from, to) -> {
            direct[0] += view.capacity() == event.capacity() ? to - from : 0;
            all[0] += to - from;
        });
        assertEquals(length + 4, direct[0]);
        assertEquals(end + 1, size);
        assertEquals(size, all[0]);
    }
}
