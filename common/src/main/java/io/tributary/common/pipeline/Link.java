package io.tributary.common.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.ToLongFunction;

/**
 * A bounded queue between two stages: one writer, one reader, bounded by items and by weight (bytes).
 *
 * <p>There is room while fewer than {@code capacity} items and less than {@code maxWeight} bytes wait, so one item of any
 * size always passes. The time in which a writer asked and found no room is counted without a clock call per item.
 */
public final class Link<T> implements Inlet<T>, Outlet<T> {
    private static final VarHandle ITEM = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle WEIGHT_IN;
    private static final VarHandle WEIGHT_OUT;
    private static final VarHandle NO_ROOM_NANOS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(Link.class, "head", long.class);
            TAIL = lookup.findVarHandle(Link.class, "tail", long.class);
            WEIGHT_IN = lookup.findVarHandle(Link.class, "weightIn", long.class);
            WEIGHT_OUT = lookup.findVarHandle(Link.class, "weightOut", long.class);
            NO_ROOM_NANOS = lookup.findVarHandle(Link.class, "noRoomNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Object[] items;
    private final int mask;
    private final long capacity;
    private final long maxWeight;
    private final ToLongFunction<? super T> weight;
    private final Clock clock;

    // written by the writer
    @SuppressWarnings("unused") // keeps the writer's fields and the reader's on different cache lines
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6;

    private long tail;
    private long weightIn;
    private long headSeen;
    private long fullSince;
    private long noRoomNanos;

    @SuppressWarnings("unused") // as above
    private long pad10, pad11, pad12, pad13, pad14, pad15, pad16;

    // written by the reader
    private long head;
    private long weightOut;

    /**
     * @param capacity items, at least 1
     * @param maxWeight bytes, at least 1
     * @param weight the bytes of an item; called once by the writer and once by the reader, and must give both the same
     */
    public Link(String name, int capacity, long maxWeight, ToLongFunction<? super T> weight, Clock clock) {
        if (capacity < 1 || maxWeight < 1) {
            throw new IllegalArgumentException(name + ": capacity and weight must be at least 1");
        }
        this.name = name;
        int size = Integer.highestOneBit(capacity) == capacity ? capacity : Integer.highestOneBit(capacity) << 1;
        this.items = new Object[size];
        this.mask = size - 1;
        this.capacity = capacity;
        this.maxWeight = maxWeight;
        this.weight = weight;
        this.clock = clock;
    }

    /** A link whose items have no weight. */
    public Link(String name, int capacity, Clock clock) {
        this(name, capacity, Long.MAX_VALUE, item -> 0L, clock);
    }

    public String name() {
        return name;
    }

    @Override
    public boolean hasRoom() {
        if (tail - headSeen >= capacity || weightIn - (long) WEIGHT_OUT.getAcquire(this) >= maxWeight) {
            headSeen = (long) HEAD.getAcquire(this);
            if (tail - headSeen >= capacity || weightIn - (long) WEIGHT_OUT.getAcquire(this) >= maxWeight) {
                if (fullSince == 0) {
                    fullSince = clock.nanoTime() | 1;
                }
                return false;
            }
        }
        if (fullSince != 0) {
            NO_ROOM_NANOS.setOpaque(this, noRoomNanos + clock.nanoTime() - fullSince);
            fullSince = 0;
        }
        return true;
    }

    @Override
    public void put(T item) {
        if (tail - headSeen >= capacity) {
            headSeen = (long) HEAD.getAcquire(this);
            if (tail - headSeen >= capacity) {
                throw new IllegalStateException(name + ": put without room");
            }
        }
        WEIGHT_IN.setOpaque(this, weightIn + weight.applyAsLong(item));
        ITEM.setRelease(items, (int) tail & mask, item);
        TAIL.setRelease(this, tail + 1);
    }

    @Override
    @SuppressWarnings("unchecked") // only put() writes items
    public T peek() {
        return (T) ITEM.getAcquire(items, (int) head & mask);
    }

    @Override
    public T poll() {
        T item = peek();
        if (item == null) {
            return null;
        }
        items[(int) head & mask] = null;
        WEIGHT_OUT.setRelease(this, weightOut + weight.applyAsLong(item));
        HEAD.setRelease(this, head + 1);
        return item;
    }

    /** Items that wait; any thread may ask. */
    public int depth() {
        long taken = (long) HEAD.getAcquire(this);
        return (int) Math.max(0, (long) TAIL.getAcquire(this) - taken);
    }

    /** Bytes that wait; any thread may ask. */
    public long depthBytes() {
        long taken = (long) WEIGHT_OUT.getAcquire(this);
        return Math.max(0, (long) WEIGHT_IN.getOpaque(this) - taken);
    }

    /** Items that have passed since the link was made; any thread may ask. */
    public long passed() {
        return (long) HEAD.getAcquire(this);
    }

    /** Nanoseconds in which the writer asked for room and there was none (periods that have ended); any thread may ask. */
    public long noRoomNanos() {
        return (long) NO_ROOM_NANOS.getOpaque(this);
    }
}
