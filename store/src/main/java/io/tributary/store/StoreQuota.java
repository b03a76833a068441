package io.tributary.store;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which appender may go on. When the disk (in mode memory: the memory) is nearly full only those go on that hold little: the order waits
 * for the shard that is behind, and what it sends is small and lets the others' payload go.
 */
final class Admission {
    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);
    /** One of so many parts of disk, memory or heap is kept for those that hold little. */
    static final int RESERVE = 8;

    private final SegmentPool pool;
    private final Spill spill; // null in mode memory
    private final StoreMode mode;
    private final TokenBudget tokens;
    private final List<Share> shares = new CopyOnWriteArrayList<>();
    private final AtomicBoolean told = new AtomicBoolean();

    Admission(SegmentPool pool, Spill spill, StoreMode mode, TokenBudget tokens) {
        this.pool = pool;
        this.spill = spill;
        this.mode = mode;
        this.tokens = tokens;
    }

    Share open(String name, Set<String> shards) {
        Share share = new Share(name, shards);
        shares.add(share);
        return share;
    }

    void close(Share share) {
        share.setWaits(false);
        shares.remove(share);
    }

    /** Whether this appender may take another segment. */
    boolean admits(Share share) {
        boolean mayHold = tokensAdmit(share) && (spill == null ? memoryAdmits(share) : mayUse(share));
        if (mayHold) {
            goesOn(share);
        } else if (!share.waits()) {
            share.setWaits(true);
            tell(share);
        }
        if (!mayHold || spill == null || pool.hasMemory()) {
            return mayHold;
        }
        return !pool.hasMover()
                || !pool.hasMovable(); // where nothing can be moved the budget is too small for its shards
    }

    /** This appender has room. */
    void goesOn(Share share) {
        if (share.waits()) {
            share.setWaits(false);
            tell(share);
        }
    }

    private boolean mayUse(Share share) {
        return pool.hasMemory() && mode != StoreMode.DISK || diskAdmits(share);
    }

    private boolean memoryAdmits(Share share) {
        return admits(pool.writing(), pool.most(), share.segments());
    }

    private boolean diskAdmits(Share share) {
        return admits(spill.diskBytes(), spill.diskMax(), (long) share.segments() * pool.segmentSize());
    }

    private boolean tokensAdmit(Share share) {
        return !tokens.isShort() || admits(tokens.used(), tokens.most(), tokens.bytesOf(share.shards()));
    }

    /**
     * In bytes or segments alike.
     *
     * @param held what one appender's payload or tokens have of what is used
     */
    private boolean admits(long used, long most, long held) {
        long reserve = most / RESERVE;
        if (used < most - reserve) {
            return true;
        }
        long each = reserve / Math.max(1, shares.size());
        return used < most && held <= each;
    }

    /** Whether everybody has to ask, also who needs no segment: tokens take heap, payload or not. */
    boolean isShortOfHeap() {
        return tokens.isShort();
    }

    private void tell(Share share) {
        long waiting = waiting();
        if (waiting > 0 && told.compareAndSet(false, true)) {
            LOG.warn("{}: reading of shard {} waits until payload is released", limit(), share.name());
        } else if (waiting == 0 && told.compareAndSet(true, false)) {
            LOG.info("The store has room again: reading goes on.");
        }
    }

    /** Appenders that wait for room; any thread. */
    long waiting() {
        return shares.stream().filter(Share::waits).count();
    }

    /** What has been reached, and who holds how much of it. */
    String state() {
        StringBuilder text = new StringBuilder(limit());
        for (Share share : shares) {
            text.append("; shard ")
                    .append(share.name())
                    .append(share.waits() ? " is not read on and holds " : " holds ")
                    .append((long) share.segments() * pool.segmentSize() >> 10)
                    .append(" KiB")
                    .append(", tokens of ")
                    .append(tokens.bytesOf(share.shards()) >> 10)
                    .append(" KiB");
        }
        return text.toString();
    }

    private String limit() {
        if (tokens.isShort()) {
            return "the heap for transactions that wait for their order has reached store.tokens (" + tokens.used()
                    + " of " + tokens.most() + " bytes, a " + RESERVE + "th of them kept for shards that hold little)";
        }
        return spill == null
                ? "store.memory is used up (store.mode=memory: " + pool.most() + " segments of " + pool.segmentSize()
                        + " bytes)"
                : "the spill disk has reached store.disk.max (" + spill.diskBytes() + " of " + spill.diskMax()
                        + " bytes, a " + RESERVE + "th of them kept for shards that hold little)";
    }
}
