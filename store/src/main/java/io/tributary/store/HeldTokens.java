package io.tributary.store;

import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * What the tokens of one shard take of the heap while they wait, as one of their holders sees it. One thread says it, and puts
 * those away that can be; when their part of the heap is full the store has no room for shards that hold much, see {@link StoreConfig#tokens()}.
 */
public final class HeldTokens implements AutoCloseable {
    /** Bytes of one that waits in a queue, with the handle of its payload. Measured by the collector's {@code TokenCostTest}. */
    public static final int TOKEN_BYTES = 192;

    private static final int STEP = 16 << 10;

    private static final int HEADER = 19; // of an event, which the store takes
    private static final ByteBuffer NO_HEADER = ByteBuffer.allocate(HEADER).asReadOnlyBuffer();

    private final String shard;
    private final TokenBudget budget;
    private final Supplier<PayloadAppender> store; // null where there is none
    private PayloadAppender appender; // null until something is put away
    private long told;
    private volatile long seen;

    /** @param store makes an appender for what is put away; null where nothing can be */
    HeldTokens(String shard, TokenBudget budget, Supplier<PayloadAppender> store) {
        this.shard = shard;
        this.store = store;
        this.budget = budget;
    }

    /** For an order that no store bounds. */
    public static HeldTokens unbounded() {
        return new HeldTokens("", new TokenBudget(Long.MAX_VALUE), null);
    }

    /** Bytes that are held now; costs no more than a comparison while they change little. */
    public void set(long bytes) {
        if (Math.abs(bytes - told) >= STEP || bytes == 0 && told != 0) {
            long change = bytes - told;
            told = bytes;
            seen = bytes;
            budget.add(change);
        }
    }

    /** Whether tokens take so much of their part of the heap that those which will not be needed soon should be put away. */
    public boolean shouldPutAway() {
        return store != null && budget.isFilling();
    }

    /** Writes bytes to the store, where they lie in memory or on disk as payload does. The buffer stays the caller's. */
    public Payload putAway(ByteBuffer bytes) {
        if (appender == null) {
            appender = store.get();
        }
        appender.append(NO_HEADER, 0, HEADER, bytes, bytes.position(), bytes.remaining());
        return appender.finish();
    }

    /** Reads back what was put away, and releases it. */
    public static ByteBuffer takeBack(Payload payload) {
        ByteBuffer bytes = ByteBuffer.allocate((int) payload.length());
        try (Payload.Cursor cursor = payload.open()) {
            for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                bytes.put(range.duplicate());
            }
        }
        payload.release();
        return bytes.flip().position(HEADER);
    }

    String shard() {
        return shard;
    }

    /** About how many bytes; any thread. */
    long bytes() {
        return seen;
    }

    /** The holder is gone, and so is what it held. */
    @Override
    public void close() {
        set(0);
        budget.remove(this);
        if (appender != null) {
            appender.close();
            appender = null;
        }
    }
}
