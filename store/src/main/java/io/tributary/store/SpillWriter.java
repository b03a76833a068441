package io.tributary.store;

import io.tributary.common.pipeline.Stage;

/** A stage that moves payload from memory to disk before the memory is needed; on a thread of its own, because it waits for the disk. */
final class SpillWriter implements Stage {
    private static final int AT_ONCE = 16;

    private final SegmentPool pool;
    private final Spill spill;

    SpillWriter(SegmentPool pool, Spill spill) {
        this.pool = pool;
        this.spill = spill;
    }

    @Override
    public String name() {
        return "spill";
    }

    @Override
    public int doWork() {
        pool.moverRuns();
        pool.moverSleeps(null);
        int moved = 0;
        while (moved < AT_ONCE && spill.hasRoom()) {
            Segment segment = pool.nextToMove();
            if (segment == null) {
                break;
            }
            pool.move(segment);
            moved++;
        }
        return moved;
    }

    /** The time until there is a segment to move: a thread that adds one wakes this thread while it sleeps. */
    @Override
    public long restNanos() {
        pool.moverSleeps(Thread.currentThread());
        return pool.hasWork() ? POLL_REST_NANOS : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        pool.moverSleeps(null);
    }
}
