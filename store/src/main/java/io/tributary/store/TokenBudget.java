package io.tributary.store;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The heap that waiting tokens may use, and how much each holder uses. Any thread. */
final class TokenBudget {
    private static final int FILLING = 4;

    private final long most;
    private final long threshold;
    private final AtomicLong used = new AtomicLong();
    private final List<HeldTokens> holders = new CopyOnWriteArrayList<>();
    private volatile boolean isShort;

    /** @param most bytes */
    TokenBudget(long most) {
        this.most = most;
        this.threshold = most - most / StoreQuota.RESERVE;
    }

    /** A third of the heap if nothing is configured: the rest is for data that is not limited by bytes, and for the garbage collector. */
    static TokenBudget of(StoreConfig config) {
        long configured = config.tokens().bytes();
        return new TokenBudget(configured == 0 ? Runtime.getRuntime().maxMemory() / 3 : configured);
    }

    /** @param store makes an appender for tokens that are moved to the store */
    HeldTokens open(String shard, Supplier<PayloadAppender> store) {
        HeldTokens holder = new HeldTokens(shard, this, store);
        holders.add(holder);
        return holder;
    }

    void remove(HeldTokens holder) {
        holders.remove(holder);
    }

    /** The last thread that adds sees the sum of all changes. */
    void add(long change) {
        used.addAndGet(change);
        boolean now;
        do {
            now = used.get() >= threshold;
            if (isShort != now) {
                isShort = now;
            }
        } while (now != used.get() >= threshold);
    }

    /** Whether so much is held that only appenders that hold little continue. */
    boolean isShort() {
        return isShort;
    }

    /** Whether a fourth of it is in use. */
    boolean isFilling() {
        return used.get() >= most / FILLING;
    }

    long most() {
        return most;
    }

    long used() {
        return used.get();
    }

    /** Bytes that these shards hold. */
    long bytesOf(Set<String> shards) {
        long bytes = 0;
        for (HeldTokens holder : holders) {
            bytes += shards.contains(holder.shard()) ? holder.bytes() : 0;
        }
        return bytes;
    }
}
