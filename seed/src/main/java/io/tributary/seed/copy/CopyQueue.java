package io.tributary.seed.copy;

import io.tributary.replay.session.Peer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** The work that waits, and which shards are read by how many workers. Any thread. */
final class CopyQueue {
    private static final int MOST_WAITS = 100;
    private static final int WAIT_MILLIS = 100;

    private final int perShard;
    private final CopyListener listener;
    private final ArrayList<CopyWork> waiting = new ArrayList<>();
    private final Map<Peer, Integer> busy = new HashMap<>();
    private int running;
    private int workers;
    private volatile boolean isStopped;
    private RuntimeException failure;

    CopyQueue(int perShard, CopyListener listener, List<CopyWork> work) {
        this.perShard = perShard;
        this.listener = listener;
        waiting.addAll(work);
    }

    CopyListener listener() {
        return listener;
    }

    boolean isStopped() {
        return isStopped;
    }

    /** Work of the shard with the fewest workers; empty when there is no more. It waits while all shards have as many workers as allowed. */
    synchronized Optional<CopyWork> take() {
        while (!isStopped && !(waiting.isEmpty() && running == 0)) {
            CopyWork best = null;
            for (CopyWork each : waiting) {
                if (load(each) < (best == null ? perShard : load(best))) {
                    best = each;
                }
            }
            if (best != null) {
                waiting.remove(best);
                busy.merge(best.member().shard(), 1, Integer::sum);
                running++;
                return Optional.of(best);
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted while it waited for work");
            }
        }
        return Optional.empty();
    }

    private int load(CopyWork work) {
        return busy.getOrDefault(work.member().shard(), 0);
    }

    /** The work is done, and has made more work, which is next. */
    synchronized void done(CopyWork work, List<CopyWork> more) {
        busy.merge(work.member().shard(), -1, Integer::sum);
        running--;
        waiting.addAll(0, more);
        notifyAll();
    }

    /** A worker begins. */
    synchronized void enter() {
        workers++;
    }

    /** A worker has ended and closed its sessions. */
    synchronized void leave() {
        workers--;
        notifyAll();
    }

    /** Waits until no worker is running, for some seconds at most. */
    synchronized void awaitWorkers() throws InterruptedException {
        for (int i = 0; workers > 0 && i < MOST_WAITS; i++) {
            wait(WAIT_MILLIS);
        }
    }

    /** No more work is taken; the first failure is kept. */
    synchronized void stop(RuntimeException why) {
        failure = failure == null ? why : failure;
        isStopped = true;
        notifyAll();
    }

    /** Throws the first failure. */
    synchronized void requireNoFailure() {
        if (failure != null) {
            throw failure;
        }
    }
}
