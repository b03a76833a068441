package io.tributary.serve.dump;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back what too few semi-sync readers have acknowledged, as MySQL does with AFTER_SYNC. Semi-sync readers may read up to the durable
 * end; all other readers and the statements see the committed end, which follows when {@code serve.semi-sync.wait-for} of them have
 * acknowledged. After {@code serve.semi-sync.timeout} the gate opens until they have caught up. Any thread.
 */
public final class SemiSyncGate implements ReadLimit {
    private static final Logger LOG = LoggerFactory.getLogger(SemiSyncGate.class);
    private static final int MAX_WAITING = 4096;

    private final BinlogFiles files;
    private final DumpConfig config;
    private final Clock clock;
    private final Runnable moved;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Map<Object, FileOffset> acknowledged = new HashMap<>();
    private volatile BinlogPosition committed;
    private boolean open;
    private long acks;
    private long timeouts;

    /** A durable end that is not committed yet, and the time since when. */
    private record Waiting(BinlogPosition end, long sinceNanos) {}

    /**
     * Creates the gate.
     *
     * @param moved called when the committed end has moved, from any thread; must be quick
     */
    public SemiSyncGate(DumpConfig config, BinlogFiles files, Clock clock, Metrics metrics, Runnable moved) {
        this.files = files;
        this.config = config;
        this.clock = clock;
        this.moved = moved;
        this.committed = files.durableEnd();
        metrics.register(Metric.SERVE_SEMI_SYNC_READERS, this::readers);
        metrics.register(Metric.SERVE_SEMI_SYNC_ACKS, this::acks);
        metrics.register(Metric.SERVE_SEMI_SYNC_TIMEOUTS, this::timeouts);
    }

    /** Whether the gate can hold anything back. */
    public boolean holds() {
        return config.semiSyncWaitFor() > 0;
    }

    /** The end for all readers. */
    public BinlogPosition committed() {
        return holds() ? committed : files.durableEnd();
    }

    @Override
    public long end(BinlogFile file) {
        BinlogPosition now = committed();
        int ahead = now.file().number() - file.number();
        return ahead > 0 ? file.end() : ahead == 0 ? now.offset() : 0;
    }

    @Override
    public boolean isFinished(BinlogFile file) {
        return file.isFinished() && committed().file().number() > file.number();
    }

    /** Notifies that the durable end has moved; from the writer's thread. */
    public void durableMoved() {
        if (!holds()) {
            return;
        }
        synchronized (this) {
            BinlogPosition end = files.durableEnd();
            if (open) {
                committed = end;
                return;
            }
            if (waiting.size() == MAX_WAITING) {
                waiting.pollLast(); // a later end commits it too
            }
            waiting.addLast(new Waiting(end, clock.nanoTime()));
            commit(); // readers may have acknowledged before this notification
        }
    }

    /** Records that a semi-sync reader has everything up to here. */
    void acknowledged(Object reader, BinlogFile file, long offset) {
        boolean hasMoved;
        synchronized (this) {
            acks++;
            acknowledged.put(reader, new FileOffset(file.number(), offset));
            hasMoved = holds() && commit();
        }
        if (hasMoved) {
            moved.run();
        }
    }

    /** Removes a semi-sync reader that has disconnected; committed ends stay committed. */
    synchronized void left(Object reader) {
        acknowledged.remove(reader);
    }

    /** Moves the committed end; returns whether it has moved. */
    private boolean commit() {
        if (acknowledged.size() < config.semiSyncWaitFor()) {
            return false;
        }
        List<FileOffset> places = acknowledged.values().stream()
                .sorted(Collections.reverseOrder())
                .toList();
        FileOffset byEnough = places.get(config.semiSyncWaitFor() - 1);
        if (open && byEnough.compareTo(FileOffset.of(files.durableEnd())) >= 0) {
            open = false;
            LOG.info("semi-sync resumed: wait-for={}", config.semiSyncWaitFor());
        }
        boolean hasMoved = false;
        while (!waiting.isEmpty()
                && byEnough.compareTo(FileOffset.of(waiting.peekFirst().end())) >= 0) {
            committed = waiting.removeFirst().end();
            hasMoved = true;
        }
        return hasMoved;
    }

    /** Opens the gate when the oldest end has waited too long; must be called periodically. */
    public void expire() {
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
                    "semi-sync suspended: wait-for={} readers={} committed={}:{} timeout={}",
                    config.semiSyncWaitFor(),
                    acknowledged.size(),
                    committed.file(),
                    committed.offset(),
                    config.semiSyncTimeout());
            committed = files.durableEnd();
        }
        moved.run();
    }

    /** Number of semi-sync readers that have acknowledged something. */
    synchronized long readers() {
        return acknowledged.size();
    }

    synchronized long acks() {
        return acks;
    }

    /** Number of timeouts. */
    synchronized long timeouts() {
        return timeouts;
    }
}
