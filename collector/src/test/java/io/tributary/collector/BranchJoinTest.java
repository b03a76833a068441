package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests how branches are joined: their order, completeness and flags, for any ranges of bytes. */
class BranchJoinTest {
    private static final int WRITE = EventType.WRITE_ROWS_EVENT;
    private static final int UPDATE = EventType.UPDATE_ROWS_EVENT;
    private static final int DELETE = EventType.DELETE_ROWS_EVENT;

    private final AtomicInteger held = new AtomicInteger();
    private final ContiguousBranchJoin views = new ContiguousBranchJoin();

    private TestPayload payload() {
        return new TestPayload(held);
    }

    private static OutputTransaction transaction(TestPayload... branches) {
        OutputTransaction transaction = new OutputTransaction();
        transaction.begin(false, 1, 0, 0);
        Arrays.stream(branches).forEach(transaction::add);
        return transaction;
    }

    /** Joins through buffers of this many bytes. */
    private static byte[] joined(OutputTransaction transaction, int room) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (BranchJoin join = new BranchJoin(transaction)) {
            while (!join.isAtEnd()) {
                ByteBuffer buffer = ByteBuffer.allocate(room + 3);
                int end = join.copy(buffer, 3, room + 3);
                assertTrue(end > 3, "it continues");
                all.write(buffer.array(), 3, end - 3);
            }
        }
        return all.toByteArray();
    }

    /** Joins branches that are contiguous. */
    private byte[] joinedInOnePass(OutputTransaction transaction) {
        int length = (int) transaction.payloadBytes();
        ByteBuffer buffer = ByteBuffer.allocate(3 + length);
        assertTrue(views.open(transaction));
        assertEquals(3 + length, views.copy(buffer, 3));
        views.close();
        return Arrays.copyOfRange(buffer.array(), 3, 3 + length);
    }

    /** The table ids of the rows events, in order. */
    private static List<Long> tableIds(byte[] events) {
        List<Long> ids = new ArrayList<>();
        ByteBuffer view = ByteBuffer.wrap(events);
        for (int at = 0; at < events.length; at = EventHeader.end(view, at)) {
            if (RowsEvent.isRows(EventHeader.type(view, at))) {
                ids.add(RowsEvent.tableId(view, at));
                assertEquals(
                        RowsEvent.NO_FOREIGN_KEY_CHECKS_F,
                        RowsEvent.flags(view, at) & RowsEvent.NO_FOREIGN_KEY_CHECKS_F);
            }
        }
        return ids;
    }

    @Test
    void deletesAreFirstThenUpdatesThenInsertsThenTheOrderOfShards() {
        OutputTransaction transaction = transaction(
                payload().statement(1, WRITE, 1, 5).statement(2, DELETE, 1, 5),
                payload().statement(3, UPDATE, 2, 5),
                payload().statement(4, DELETE, 1, 5).statement(5, WRITE, 1, 5));
        assertEquals(List.of(4L, 3L, 3L, 1L, 2L, 5L), tableIds(joined(transaction, 1000)));
    }

    @Test
    void aStatementWithAnyDeleteCountsAsDeleting() {
        TestPayload mixed = payload().event(EventType.TABLE_MAP_EVENT, 9, 0, 4);
        mixed.event(WRITE, 9, 0, 4).event(DELETE, 9, RowsEvent.STMT_END_F, 4);
        OutputTransaction transaction = transaction(payload().statement(1, UPDATE, 1, 5), mixed);
        assertEquals(List.of(9L, 9L, 1L), tableIds(joined(transaction, 1000)));
    }

    @Test
    void eachBranchStaysCompleteAndInItsOrderForAnyRanges() {
        SplittableRandom random = new SplittableRandom(3);
        for (int run = 0; run < 300; run++) {
            List<TestPayload> branches = new ArrayList<>();
            for (int branch = 0; branch < random.nextInt(2, 5); branch++) {
                branches.add(randomBranch(random, branch));
            }
            OutputTransaction transaction = transaction(branches.toArray(new TestPayload[0]));
            byte[] whole = joined(transaction, 1 << 20);
            branches.forEach(TestPayload::inOnePiece);
            assertArrayEquals(whole, joinedInOnePass(transaction));
            branches.forEach(branch -> branch.inPieces(random));
            assertArrayEquals(whole, joined(transaction, random.nextInt(40, 400)));
            assertEquals(transaction.payloadBytes(), whole.length);
            for (int branch = 0; branch < branches.size(); branch++) {
                assertArrayEquals(unmarked(branches.get(branch).bytes()), ofBranch(whole, branch));
            }
        }
    }

    private TestPayload randomBranch(SplittableRandom random, int branch) {
        TestPayload payload = payload();
        for (int statement = 0; statement < random.nextInt(1, 5); statement++) {
            if (random.nextBoolean()) {
                payload.event(EventType.ROWS_QUERY_LOG_EVENT, branch, 0, random.nextInt(30));
            }
            int type = new int[] {WRITE, UPDATE, DELETE, EventType.PARTIAL_UPDATE_ROWS_EVENT}[random.nextInt(4)];
            payload.statement(branch, type, random.nextInt(1, random.nextInt(8) == 0 ? 60 : 4), random.nextInt(200));
        }
        if (random.nextInt(5) == 0) {
            payload.event(EventType.ROWS_QUERY_LOG_EVENT, branch, 0, 3);
        }
        return payload;
    }

    /** The events of a branch, which have its number as table id, with all flags cleared. */
    private static byte[] ofBranch(byte[] events, int branch) {
        ByteArrayOutputStream own = new ByteArrayOutputStream();
        ByteBuffer view = ByteBuffer.wrap(events);
        for (int at = 0; at < events.length; at = EventHeader.end(view, at)) {
            if (RowsEvent.tableId(view, at) == branch) {
                own.write(events, at, EventHeader.size(view, at));
            }
        }
        return unmarked(own.toByteArray());
    }

    private static byte[] unmarked(byte[] events) {
        ByteBuffer view = ByteBuffer.wrap(events);
        for (int at = 0; at < events.length; at = EventHeader.end(view, at)) {
            if (RowsEvent.isRows(EventHeader.type(view, at))) {
                RowsEvent.setFlags(view, at, RowsEvent.flags(view, at) & ~RowsEvent.NO_FOREIGN_KEY_CHECKS_F);
            }
        }
        return events;
    }

    @Test
    void aSingleBranchIsNotMarked() {
        TestPayload only = payload().statement(1, WRITE, 3, 50).inPieces(new SplittableRandom(1));
        assertArrayEquals(only.bytes(), joined(transaction(only), 60));
    }

    @Test
    void aContiguousSingleBranchIsNotMarked() {
        TestPayload only = payload().statement(1, WRITE, 3, 50).inOnePiece();
        assertArrayEquals(only.bytes(), joinedInOnePass(transaction(only)));
    }

    @Test
    void branchesInSeveralRangesAreNotJoinedInOnePass() {
        OutputTransaction transaction = transaction(
                payload().statement(1, WRITE, 1, 5).inOnePiece(), payload().statement(2, WRITE, 2, 5));
        assertFalse(views.open(transaction));
    }
}
