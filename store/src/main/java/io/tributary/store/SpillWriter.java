package io.tributary.store;

import io.tributary.common.pipeline.Stage;

/** Moves payload from memory to disk, ahead of those who need the memory; on a thread of its own, as it waits for the disk. */
final class Mover implements Stage {
    private static final int AT_ONCE = 16;

    private final SegmentPool pool;
    private final Spill spill;

    Mover(SegmentPool pool, Spill spill) {
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

    /** Until something is to be moved: who brings that, segment by segment, wakes this thread while it sleeps. */
    @Override
    public long restNanos() {
        pool.moverSleeps(Thread.currentThread());
        return pool.hasWork() ? UNTOLD_REST_NANOS : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        pool.moverSleeps(null);
    }
}
