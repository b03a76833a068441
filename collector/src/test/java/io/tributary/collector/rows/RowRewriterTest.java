package io.tributary.collector.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.TestPayload;
import io.tributary.collector.TestSchema;
import io.tributary.collector.schema.RowRule;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.PayloadStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The content of payloads when rows of some tables are left out or renamed, for any ranges of bytes. */
class RowRewriterTest {
    private static final int WRITE = EventType.WRITE_ROWS_EVENT;
    private static final TableChange OUT = TableChange.of(new RowRule(true, new TableName("shop", "gone")));
    private static final int KEPT = 1;
    private static final int LEFT_OUT = 2;
    private static final int RENAMED = 3;
    private static final Map<Long, TableChange> RULES = Map.of(
            (long) LEFT_OUT,
            OUT,
            (long) RENAMED,
            TableChange.of(new RowRule(false, new TableName("shop2", "orders_new"))));

    private final AtomicInteger held = new AtomicInteger();
    private final PayloadStore payloads = TestSchema.payloads();
    private final RowRewriter rewriter = new RowRewriter(TestSchema.store(payloads), null);

    @AfterEach
    void everythingIsReleased() {
        rewriter.close();
        assertEquals(0, held.get());
        assertEquals(0, payloads.memoryInUse(), "payloads that were not released");
    }

    private TestPayload payload() {
        return new TestPayload(held);
    }

    /** Events of a payload as text: {@code query}, {@code map 1 shop.t1}, {@code rows 1 20 end}. */
    private static List<String> events(byte[] bytes) {
        List<String> events = new ArrayList<>();
        ByteBuffer view = ByteBuffer.wrap(bytes);
        for (int at = 0; at < bytes.length; at = EventHeader.end(view, at)) {
            EventHeader.check(view, at);
            int end = EventHeader.end(view, at);
            int type = EventHeader.type(view, at);
            if (type == EventType.TABLE_MAP_EVENT) {
                TableMapEvent.check(view, at, end);
                events.add("map " + TableMapEvent.tableId(view, at) + " " + TableMapEvent.schema(view, at) + "."
                        + TableMapEvent.table(view, at));
            } else if (RowsEvent.isRows(type)) {
                events.add("rows " + RowsEvent.tableId(view, at) + " " + (end - at - EventHeader.LENGTH - 8)
                        + (RowsEvent.endsStatement(view, at) ? " end" : ""));
            } else {
                events.add("query");
            }
        }
        return events;
    }

    private static byte[] bytes(Payload payload) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Payload.Cursor cursor = payload.open()) {
            for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                for (int at = range.position(); at < range.limit(); at++) {
                    all.write(range.get(at));
                }
            }
        }
        assertEquals(payload.length(), all.size());
        return all.toByteArray();
    }

    /** The remaining events, the same for one range and for several. */
    private List<String> rewritten(TestPayload payload) {
        List<String> inOnePiece = rewrittenOnce(payload.inOnePiece(), RULES);
        for (int seed = 0; seed < 20; seed++) {
            assertEquals(
                    inOnePiece, rewrittenOnce(payload.inPieces(new SplittableRandom(seed)), RULES), "seed " + seed);
        }
        payload.release();
        return inOnePiece;
    }

    private List<String> rewrittenOnce(TestPayload payload, Map<Long, TableChange> rules) {
        Payload rewritten = rewriter.rewritten(payload, rules);
        List<String> events = events(bytes(rewritten));
        assertEquals(events.size(), rewritten.events());
        rewritten.release();
        return events.stream().map(RowRewriterTest::withoutNewId).toList();
    }

    /** A new id is different each time. */
    private static String withoutNewId(String event) {
        return event.replaceFirst(" 1\\d{3} ", " new ");
    }

    private static TestPayload query(TestPayload payload, int more) {
        return payload.event(EventType.ROWS_QUERY_LOG_EVENT, 9, 0, more);
    }

    @Test
    void rowsOfLeftOutTablesAreRemovedWithTheirTableMaps() {
        TestPayload payload = payload()
                .map(KEPT, "shop", "t1")
                .map(LEFT_OUT, "shop", "t2")
                .event(WRITE, KEPT, 0, 20)
                .event(WRITE, LEFT_OUT, 0, 300)
                .event(WRITE, KEPT, 1, 30);
        assertEquals(List.of("map 1 shop.t1", "rows 1 20", "rows 1 30 end"), rewritten(payload));
    }

    @Test
    void theLastKeptRowsEndTheStatement() {
        TestPayload payload = payload()
                .map(KEPT, "shop", "t1")
                .map(LEFT_OUT, "shop", "t2")
                .event(WRITE, KEPT, 0, 20)
                .event(WRITE, KEPT, 0, 21)
                .event(WRITE, LEFT_OUT, 0, 22)
                .event(WRITE, LEFT_OUT, 1, 23)
                .map(KEPT, "shop", "t1")
                .event(WRITE, KEPT, 1, 24);
        assertEquals(
                List.of("map 1 shop.t1", "rows 1 20", "rows 1 21 end", "map 1 shop.t1", "rows 1 24 end"),
                rewritten(payload));
    }

    @Test
    void theTextOfAStatementIsKeptWithAnyOfItsRows() {
        TestPayload payload = query(payload(), 40).map(LEFT_OUT, "shop", "t2").event(WRITE, LEFT_OUT, 1, 10);
        query(payload, 50)
                .map(LEFT_OUT, "shop", "t2")
                .map(KEPT, "shop", "t1")
                .event(WRITE, LEFT_OUT, 0, 11)
                .event(WRITE, KEPT, 1, 12);
        query(payload, 60).map(LEFT_OUT, "shop", "t2").event(WRITE, LEFT_OUT, 1, 13);
        assertEquals(List.of("query", "map 1 shop.t1", "rows 1 12 end"), rewritten(payload));
    }

    @Test
    void ifAllRowsAreLeftOutNothingRemains() {
        TestPayload payload = query(payload(), 40)
                .map(LEFT_OUT, "shop", "t2")
                .event(WRITE, LEFT_OUT, 0, 10)
                .event(EventType.DELETE_ROWS_EVENT, LEFT_OUT, 1, 4000);
        Payload rewritten = rewriter.rewritten(payload, RULES);
        assertEquals(0, rewritten.length());
        assertEquals(0, rewritten.events());
        rewritten.release();
        payload.release();
    }

    @Test
    void tablesWithoutARuleStayUnchanged() {
        TestPayload payload = query(payload(), 40)
                .map(KEPT, "shop", "t1")
                .event(EventType.UPDATE_ROWS_EVENT, KEPT, 0, 200)
                .event(EventType.UPDATE_ROWS_EVENT, KEPT, 1, 5000)
                .inPieces(new SplittableRandom(3));
        Payload rewritten = rewriter.rewritten(payload, Map.of(77L, OUT));
        assertTrue(java.util.Arrays.equals(payload.bytes(), bytes(rewritten)));
        rewritten.release();
        payload.release();
    }

    @Test
    void renamedTablesGetTheirNewNameAndASeparateId() {
        TestPayload payload = payload()
                .map(RENAMED, "s", "orders_with_a_long_name_that_fills_more_than_the_first_bytes_of_the_event")
                .map(KEPT, "shop", "t1")
                .event(WRITE, RENAMED, 0, 20)
                .event(EventType.UPDATE_ROWS_EVENT, RENAMED, 0, 300)
                .event(WRITE, KEPT, 1, 30);
        assertEquals(
                List.of("map new shop2.orders_new", "map 1 shop.t1", "rows new 20", "rows new 300", "rows 1 30 end"),
                rewritten(payload));
    }

    @Test
    void theRowsOfARenamedTableHaveTheIdOfItsTableMap() {
        TestPayload payload = payload()
                .map(RENAMED, "shop", "t")
                .event(WRITE, RENAMED, 1, 20)
                .map(RENAMED, "shop", "t")
                .event(WRITE, RENAMED, 1, 20)
                .inOnePiece();
        Payload rewritten = rewriter.rewritten(payload, RULES);
        List<String> events = events(bytes(rewritten));
        for (int at = 0; at < 4; at += 2) {
            assertEquals(events.get(at).split(" ", -1)[1], events.get(at + 1).split(" ", -1)[1]);
        }
        byte[] before = payload.bytes();
        byte[] after = bytes(rewritten);
        int body = TableMapEvent.bodyAt(ByteBuffer.wrap(before), 0);
        int length = EventHeader.end(ByteBuffer.wrap(before), 0) - body;
        String columns = new String(before, body, length, StandardCharsets.ISO_8859_1);
        int renamedBody = TableMapEvent.bodyAt(ByteBuffer.wrap(after), 0);
        assertEquals(columns, new String(after, renamedBody, length, StandardCharsets.ISO_8859_1), "its columns stay");
        rewritten.release();
        payload.release();
    }

    @Test
    void largeEventsAndManyStatementsGiveTheSameResult() {
        TestPayload payload = payload();
        List<String> expected = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 300; i++) {
            int bytes = random.nextInt(20) == 0 ? 100_000 : random.nextInt(300);
            int table = random.nextBoolean() ? KEPT : LEFT_OUT;
            payload.map(table, "shop", "t" + table).event(WRITE, table, 1, bytes);
            if (table == KEPT) {
                expected.add("map 1 shop.t1");
                expected.add("rows 1 " + bytes + " end");
            }
        }
        assertEquals(expected, rewrittenOnce(payload.inPieces(random), RULES));
        payload.release();
    }

    @Test
    void theRowsAfterStatementsAreTheRestOfThePayload() {
        TestPayload payload = payload()
                .event(EventType.QUERY_EVENT, 9, 0, 40)
                .event(EventType.QUERY_EVENT, 9, 0, 50)
                .map(KEPT, "shop", "t1")
                .event(WRITE, KEPT, 1, 20)
                .inPieces(new SplittableRandom(7));
        Payload rows = rewriter.rowsAfter(payload, 2);
        assertEquals(List.of("map 1 shop.t1", "rows 1 20 end"), events(bytes(rows)));
        rows.release();
        Payload nothing = rewriter.rowsAfter(payload, 4);
        assertEquals(0, nothing.length());
        nothing.release();
        payload.release();
    }
}
