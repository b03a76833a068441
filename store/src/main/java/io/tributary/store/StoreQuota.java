package io.tributary.store;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which appender may continue. When the disk (in mode memory: the memory) is nearly full, only appenders that hold little continue. The order
 * waits for the shard that is behind the others; the data that it sends is small and allows the others' payload to be released.
 */
final class StoreQuota {
    private static final Logger LOG = LoggerFactory.getLogger(StoreQuota.class);
    /** One part in this many of disk, memory or heap is kept for appenders that hold little. */
    static final int RESERVE = 8;

    private final SegmentPool pool;
    private final Spill spill; // null in mode memory
    private final StoreMode mode;
    private final TokenBudget tokens;
    private final List<AppenderUsage> usages = new CopyOnWriteArrayList<>();
    private final AtomicBoolean reported = new AtomicBoolean();

    StoreQuota(SegmentPool pool, Spill spill, StoreMode mode, TokenBudget tokens) {
        this.pool = pool;
        this.spill = spill;
        this.mode = mode;
        this.tokens = tokens;
    }

    AppenderUsage open(String name, Set<String> shards) {
        AppenderUsage usage = new AppenderUsage(name, shards);
        usages.add(usage);
        return usage;
    }

    void close(AppenderUsage usage) {
        usage.setWaits(false);
        usages.remove(usage);
    }

    /** Whether this appender may take another segment. */
    boolean admits(AppenderUsage usage) {
        boolean mayHold = tokensAdmit(usage) && (spill == null ? memoryAdmits(usage) : mayUse(usage));
        if (mayHold) {
            continues(usage);
        } else if (!usage.waits()) {
            usage.setWaits(true);
            report(usage);
        }
        if (!mayHold || spill == null || pool.hasMemory()) {
            return mayHold;
        }
        return !pool.hasMover() || !pool.hasMovable(); // if nothing can be moved the budget is too small for its shards
    }

    /** This appender has room. */
    void continues(AppenderUsage usage) {
        if (usage.waits()) {
            usage.setWaits(false);
            report(usage);
        }
    }

    private boolean mayUse(AppenderUsage usage) {
        return pool.hasMemory() && mode != StoreMode.DISK || diskAdmits(usage);
    }

    private boolean memoryAdmits(AppenderUsage usage) {
        return admits(pool.writing(), pool.most(), usage.segments());
    }

    private boolean diskAdmits(AppenderUsage usage) {
        return admits(spill.diskBytes(), spill.diskMax(), (long) usage.segments() * pool.segmentSize());
    }

    private boolean tokensAdmit(AppenderUsage usage) {
        return !tokens.isShort() || admits(tokens.used(), tokens.most(), tokens.bytesOf(usage.shards()));
    }

    /**
     * The same rule for bytes and for segments.
     *
     * @param held the part of the used amount that belongs to one appender's payload or tokens
     */
    private boolean admits(long used, long most, long held) {
        long reserve = most / RESERVE;
        if (used < most - reserve) {
            return true;
        }
        long each = reserve / Math.max(1, usages.size());
        return used < most && held <= each;
    }

    /** Whether every appender has to ask, also one that needs no segment: tokens use heap, with or without payload. */
    boolean isShortOfHeap() {
        return tokens.isShort();
    }

    private void report(AppenderUsage usage) {
        long waiting = waiting();
        if (waiting > 0 && reported.compareAndSet(false, true)) {
            LOG.warn(
                    "reading of a shard waits: shard={} until=\"payload is released\" reason=\"{}\"",
                    usage.name(),
                    limit());
        } else if (waiting == 0 && reported.compareAndSet(true, false)) {
            LOG.info("store has room again: effect=\"reading continues\"");
        }
    }

    /** Appenders that wait for room; any thread. */
    long waiting() {
        return usages.stream().filter(AppenderUsage::waits).count();
    }

    /** The limit that has been reached, and how much each appender holds. */
    String state() {
        StringBuilder text = new StringBuilder(limit());
        for (AppenderUsage usage : usages) {
            text.append("; shard ")
                    .append(usage.name())
                    .append(usage.waits() ? " is paused and holds " : " holds ")
                    .append((long) usage.segments() * pool.segmentSize() >> 10)
                    .append(" KiB")
                    .append(", tokens of ")
                    .append(tokens.bytesOf(usage.shards()) >> 10)
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
