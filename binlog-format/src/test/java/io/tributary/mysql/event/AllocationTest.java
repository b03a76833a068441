package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The hot path allocates no objects. */
class AllocationTest {
    private static final int PASSES = 2000;

    private final Binlog file = Binlog.golden("golden.000001");
    private final Checksum checksum = new Checksum();
    private long seen;

    @Test
    void checkingAndReadingEventsAllocatesNoObjects() {
        int[] events = file.events.stream()
                .filter(at -> file.type(at) != EventType.PREVIOUS_GTIDS_LOG_EVENT)
                .mapToInt(at -> at)
                .toArray();
        walk(events, PASSES);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        walk(events, PASSES);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        long count = (long) PASSES * events.length;
        assertTrue(allocated < count, allocated + " bytes for " + count + " events, " + seen);
    }

    private void walk(int[] events, int passes) {
        for (int pass = 0; pass < passes; pass++) {
            for (int at : events) {
                int end = file.end(at);
                EventHeader.check(file.view, at);
                checksum.verify(file.view, at);
                Events.check(file.view, at, end);
                seen += read(at, end);
            }
        }
    }

    private long read(int at, int end) {
        return switch (EventHeader.type(file.view, at)) {
            case EventType.GTID_LOG_EVENT ->
                GtidEvent.gno(file.view, at)
                        + GtidEvent.lastCommitted(file.view, at, end)
                        + GtidEvent.transactionLength(file.view, at, end);
            case EventType.QUERY_EVENT -> QueryEvent.textIs(file.view, at, end, "BEGIN") ? 1 : 0;
            case EventType.TABLE_MAP_EVENT ->
                TableMapEvent.tableId(file.view, at) + TableMapEvent.bodyAt(file.view, at);
            case EventType.WRITE_ROWS_EVENT -> RowsEvent.tableId(file.view, at) + RowsEvent.flags(file.view, at);
            default -> 0;
        };
    }
}
