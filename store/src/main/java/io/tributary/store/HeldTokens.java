package io.tributary.store;

import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The heap that waiting tokens of one shard use, as one holder of tokens reports it. One thread reports it, and moves tokens to the store if
 * possible. When tokens have filled their part of the heap, the store has no room for shards that hold much, see {@link StoreConfig#tokens()}.
 */
public final class HeldTokens implements AutoCloseable {
    /** Bytes of one token that waits in a queue, with the handle of its payload. Measured by the collector's {@code TokenCostTest}. */
    public static final int TOKEN_BYTES = 208;

    private static final int STEP = 16 << 10;

    private static final int HEADER = 19; // of an event, which the store requires
    private static final ByteBuffer NO_HEADER = ByteBuffer.allocate(HEADER).asReadOnlyBuffer();

    private final String shard;
    private final TokenBudget budget;
    private final Supplier<PayloadAppender> store; // null if there is none
    private PayloadAppender appender; // null until something is moved to the store
    private long reported;
    private volatile long seen;

    /** @param store makes an appender for moved tokens; null if none can be moved */
    HeldTokens(String shard, TokenBudget budget, Supplier<PayloadAppender> store) {
        this.shard = shard;
        this.store = store;
        this.budget = budget;
    }

    /** For an order that no store limits. */
    public static HeldTokens unbounded() {
        return new HeldTokens("", new TokenBudget(Long.MAX_VALUE), null);
    }

    /** Sets the bytes that are held now; costs only a comparison while they change little. */
    public void set(long bytes) {
        if (Math.abs(bytes - reported) >= STEP || bytes == 0 && reported != 0) {
            long change = bytes - reported;
            reported = bytes;
            seen = bytes;
            budget.add(change);
        }
    }

    /** Whether tokens use so much of their part of the heap that those which are not needed soon should be moved to the store. */
    public boolean shouldSpill() {
        return store != null && budget.isFilling();
    }

    /** Writes bytes to the store, which keeps them in memory or on disk in the same way as payload. The buffer stays the caller's. */
    public Payload spill(ByteBuffer bytes) {
        if (appender == null) {
            appender = store.get();
        }
        appender.beginEvent(NO_HEADER, 0, HEADER);
        appender.append(bytes, bytes.position(), bytes.remaining());
        return appender.finish();
    }

    /** Reads back bytes that {@link #spill} has written, and releases them. */
    public static ByteBuffer load(Payload payload) {
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

    /** The approximate number of bytes; any thread. */
    long bytes() {
        return seen;
    }

    /** The holder ends, and its tokens with it. */
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
