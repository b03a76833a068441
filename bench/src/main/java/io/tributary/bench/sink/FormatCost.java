package io.tributary.bench.sink;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.RowChange;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What a row costs from the bytes of its event to the bytes of its message, in one thread.
 *
 * @param micros of CPU time for a row
 * @param garbage bytes of the heap for a row
 * @param bytes of a value
 * @param rowBytes of a row in its event
 */
public record FormatCost(double micros, double garbage, double bytes, double rowBytes) {
    private static final long BUILT = 1_700_000_000_000L;
    private static final int EVENT_HEAD = 100;

    /**
     * Measures a format.
     *
     * @param format null to decode into nothing
     * @param rounds how often all events are written; the first quarter is not measured
     */
    public static FormatCost of(MessageFormat format, List<WideRows.Event> events, int rounds) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        RowFormat rows = format == null ? null : format.table(events.get(0).table(), "orders");
        Pass pass = new Pass(rows);
        for (int i = 0; i < Math.max(1, rounds / 4); i++) {
            events.forEach(pass::run);
        }
        pass.rows = 0;
        pass.bytes = 0;
        long garbage = threads.getThreadAllocatedBytes(id);
        long nanos = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < rounds; i++) {
            events.forEach(pass::run);
        }
        nanos = threads.getCurrentThreadCpuTime() - nanos;
        garbage = threads.getThreadAllocatedBytes(id) - garbage;
        long eventBytes = events.stream()
                .mapToLong(event -> event.bytes().capacity() - EVENT_HEAD)
                .sum();
        double all = pass.rows;
        return new FormatCost(
                nanos / 1000.0 / all, garbage / all, pass.bytes / all, eventBytes * (double) rounds / all);
    }

    /** Writes events. */
    private static final class Pass {
        private final RowFormat format;
        private final RowChange change = new RowChange();
        private final RowPlace place = new RowPlace();
        private final ByteBuf out = Unpooled.buffer(1 << 14);
        private long rows;
        private long bytes;

        private Pass(RowFormat format) {
            this.format = format;
        }

        private void run(WideRows.Event event) {
            change.begin(event.table(), event.bytes(), 0, event.bytes().capacity());
            while (change.next()) {
                rows++;
                if (format != null) {
                    out.clear();
                    format.value(out, change, place.set(event.transaction(), rows, BUILT));
                    bytes += out.readableBytes();
                }
            }
        }
    }
}
