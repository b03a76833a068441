package io.tributary.dumper.serve;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.DurableEnd;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back what too few semi-sync readers have acknowledged (as MySQL does with AFTER_SYNC): they read up to the durable end,
 * all others and the statements up to the committed one, which follows once {@code serve.semi-sync.wait-for} of them have
 * acknowledged it. After {@code serve.semi-sync.timeout} it opens, until they have caught up. Any thread.
 */
final class SemiSyncGate implements Horizon {
    private static final Logger LOG = LoggerFactory.getLogger(SemiSyncGate.class);
    private static final int MOST_WAITING = 4096;

    private final BinlogFiles files;
    private final DumpConfig config;
    private final Clock clock;
    private final Runnable moved;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Map<Object, BinlogPlace> acknowledged = new HashMap<>();
    private volatile DurableEnd committed;
    private boolean open;
    private long acks;
    private long timeouts;

    /** A durable end that is not committed, and since when. */
    private record Waiting(DurableEnd end, long sinceNanos) {}

    /** @param moved called when the committed end has moved, from any thread; quick */
    SemiSyncGate(DumpConfig config, BinlogFiles files, Clock clock, Metrics metrics, Runnable moved) {
        this.files = files;
        this.config = config;
        this.clock = clock;
        this.moved = moved;
        this.committed = files.durableEnd();
        metrics.register(Metric.SERVE_SEMI_SYNC_READERS, this::readers);
        metrics.register(Metric.SERVE_SEMI_SYNC_ACKS, this::acks);
        metrics.register(Metric.SERVE_SEMI_SYNC_TIMEOUTS, this::timeouts);
    }

    /** Whether anything is ever held back. */
    boolean holds() {
        return config.semiSyncWaitFor() > 0;
    }

    /** The end that is served to all. */
    DurableEnd committed() {
        return holds() ? committed : files.durableEnd();
    }

    @Override
    public long end(BinlogFile file) {
        DurableEnd now = committed();
        int ahead = now.file().number() - file.number();
        return ahead > 0 ? file.end() : ahead == 0 ? now.offset() : 0;
    }

    @Override
    public boolean isFinished(BinlogFile file) {
        return file.isFinished() && committed().file().number() > file.number();
    }

    /** The durable end has moved; from the writer's thread. */
    void durableMoved() {
        if (!holds()) {
            return;
        }
        synchronized (this) {
            DurableEnd end = files.durableEnd();
            if (open) {
                committed = end;
                return;
            }
            if (waiting.size() == MOST_WAITING) {
                waiting.pollLast(); // those behind it commit it too, only later
            }
            waiting.addLast(new Waiting(end, clock.nanoTime()));
            commit(); // readers may have been quicker than the writer's word
        }
    }

    /** A semi-sync reader has everything up to here. */
    void acknowledged(Object reader, BinlogFile file, long offset) {
        boolean hasMoved;
        synchronized (this) {
            acks++;
            acknowledged.put(reader, new BinlogPlace(file.number(), offset));
            hasMoved = holds() && commit();
        }
        if (hasMoved) {
            moved.run();
        }
    }

    /** A semi-sync reader is gone; what it acknowledged and is committed stays so. */
    synchronized void left(Object reader) {
        acknowledged.remove(reader);
    }

    /** Moves the committed end on; whether it did. */
    private boolean commit() {
        if (acknowledged.size() < config.semiSyncWaitFor()) {
            return false;
        }
        List<BinlogPlace> places = acknowledged.values().stream()
                .sorted(Collections.reverseOrder())
                .toList();
        BinlogPlace byEnough = places.get(config.semiSyncWaitFor() - 1);
        if (open && byEnough.compareTo(BinlogPlace.of(files.durableEnd())) >= 0) {
            open = false;
            LOG.info("semi-sync: {} readers have caught up, the others wait for them again", config.semiSyncWaitFor());
        }
        boolean hasMoved = false;
        while (!waiting.isEmpty()
                && byEnough.compareTo(BinlogPlace.of(waiting.peekFirst().end())) >= 0) {
            committed = waiting.removeFirst().end();
            hasMoved = true;
        }
        return hasMoved;
    }

    /** Opens when the oldest end has waited for too long; to be called again and again. */
    void expire() {
        synchronized (this) {
            boolean late = !waiting.isEmpty()
                    && clock.nanoTime() - waiting.peekFirst().sinceNanos()
                            >= config.semiSyncTimeout().toNanos();
            if (!late) {
                return;
            }
            open = true;
            timeouts++;
            waiting.clear();
            LOG.warn(
                    "semi-sync: {} of {} readers acknowledged nothing behind {}:{} within {}; the others go on without"
                            + " until they have caught up",
                    config.semiSyncWaitFor(),
                    acknowledged.size(),
                    committed.file(),
                    committed.offset(),
                    config.semiSyncTimeout());
            committed = files.durableEnd();
        }
        moved.run();
    }

    /** Semi-sync readers that have acknowledged something. */
    synchronized long readers() {
        return acknowledged.size();
    }

    synchronized long acks() {
        return acks;
    }

    /** How often the wait was given up. */
    synchronized long timeouts() {
        return timeouts;
    }
}
