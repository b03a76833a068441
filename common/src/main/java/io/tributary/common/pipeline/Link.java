package io.tributary.common.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.ToLongFunction;

/**
 * A bounded queue between two stages: one writer, one reader, bounded by items and by weight (bytes).
 *
 * <p>There is room while fewer than {@code capacity} items and less than {@code maxWeight} bytes wait, so one item of any
 * size always passes. The time in which a writer found no room is measured without a clock call per item.
 *
 * <p>A keyed link publishes the next item's key separately, so that its reader need not load the item from the writer's core
 * to compare it. Its items are published in groups, at the latest by {@link #flush()}: otherwise a reader directly after the writer
 * would load each cache line from the writer's core once per item.
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

    /** Items of a keyed link that are published together: they fill some cache lines. */
    private static final int GROUP = 64;

    private final String name;
    private final Object[] items;
    private final long[] keys; // null if items have no keys
    private final int[] ranks; // null if items have no keys
    private final int mask;
    private final long capacity;
    private final long maxWeight;
    private final ToLongFunction<? super T> weight; // null if items have no weight
    private volatile boolean isSilent; // rarely written, read while the link is empty
    private final Clock clock;
    private final Wakeup filled = new Wakeup();
    private final Wakeup emptied = new Wakeup();

    // written by the writer
    @SuppressWarnings("unused") // keeps the writer's fields and the reader's on different cache lines
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6;

    private long tail; // the end of what the reader may see
    private long written;
    private long weightIn;
    private long headSeen;
    private long weightOutSeen;
    private long fullSince;
    private long noRoomNanos;

    @SuppressWarnings("unused") // as above
    private long pad10, pad11, pad12, pad13, pad14, pad15, pad16;

    // written by the reader
    private long head;
    private long tailSeen; // of a keyed link
    private long weightOut;

    /** The weight of items: the bytes at which there is no room, and the bytes of an item; null if items have no weight. */
    private record Weights<T>(long most, ToLongFunction<? super T> of) {
        static <T> Weights<T> none() {
            return new Weights<>(Long.MAX_VALUE, null);
        }
    }

    /**
     * @param capacity items, at least 1
     * @param maxWeight bytes, at least 1
     * @param weight the bytes of an item; called once by the writer and once by the reader, and must return the same value both times
     */
    public Link(String name, int capacity, long maxWeight, ToLongFunction<? super T> weight, Clock clock) {
        this(name, capacity, new Weights<>(maxWeight, weight), clock, false);
    }

    private Link(String name, int capacity, Weights<T> weights, Clock clock, boolean isKeyed) {
        if (capacity < 1 || weights.most() < 1) {
            throw new IllegalArgumentException(name + ": capacity and weight must be at least 1");
        }
        this.name = name;
        int size = Integer.highestOneBit(capacity) == capacity ? capacity : Integer.highestOneBit(capacity) << 1;
        this.items = new Object[size];
        this.keys = isKeyed ? new long[size] : null;
        this.ranks = isKeyed ? new int[size] : null;
        this.mask = size - 1;
        this.capacity = capacity;
        this.maxWeight = weights.most();
        this.weight = weights.of();
        this.clock = clock;
    }

    /** A link whose items have no weight. */
    public Link(String name, int capacity, Clock clock) {
        this(name, capacity, Weights.none(), clock, false);
    }

    /** A link whose items have no weight; each is put with a key and a rank. */
    public static <T> Link<T> keyed(String name, int capacity, Clock clock) {
        return new Link<>(name, capacity, Weights.none(), clock, true);
    }

    /** Whether items are put only with {@link #put(Object, long, int)}. */
    public boolean isKeyed() {
        return keys != null;
    }

    /** Sets whether its writer will put nothing for an unknown time: a reader of several links then need not wait for it. Any thread. */
    public void silent(boolean is) {
        isSilent = is;
    }

    /** The last value of {@link #silent}; items in the link, now or later, must be read in any case. */
    public boolean isSilent() {
        return isSilent;
    }

    public String name() {
        return name;
    }

    @Override
    public boolean hasRoom() {
        if (isFull()) {
            flush();
            headSeen = (long) HEAD.getAcquire(this);
            weightOutSeen = (long) WEIGHT_OUT.getAcquire(this);
            if (isFull()) {
                if (fullSince == 0) {
                    fullSince = clock.nanoTime() | 1;
                }
                emptied.listen();
                return false;
            }
        }
        if (fullSince != 0) {
            NO_ROOM_NANOS.setOpaque(this, noRoomNanos + clock.nanoTime() - fullSince);
            fullSince = 0;
        }
        return true;
    }

    /** Whether the link is full, as far as the writer knows: it reads the reader's fields only if the link may be full. */
    private boolean isFull() {
        return written - headSeen >= capacity || weightIn - weightOutSeen >= maxWeight;
    }

    @Override
    public void put(T item) {
        if (keys != null) {
            throw new IllegalStateException(name + ": put without a key");
        }
        requireRoom();
        if (weight != null) {
            WEIGHT_IN.setOpaque(this, weightIn + weight.applyAsLong(item));
        }
        ITEM.setRelease(items, (int) written & mask, item);
        TAIL.setRelease(this, ++written);
        filled.ring();
    }

    /**
     * Puts an item with its key, by which the reader orders, and its rank among equal keys; for a keyed link only. The reader may see
     * it only after {@link #flush()}.
     */
    public void put(T item, long key, int rank) {
        requireRoom();
        int at = (int) written & mask;
        keys[at] = key;
        ranks[at] = rank;
        items[at] = item;
        if (++written - tail >= GROUP) {
            flush();
        }
    }

    /** Publishes to the reader all items that have been put; the writer calls it before it pauses. */
    public void flush() {
        if (written != tail) {
            TAIL.setRelease(this, written);
            filled.ring();
        }
    }

    private void requireRoom() {
        if (written - headSeen >= capacity) {
            headSeen = (long) HEAD.getAcquire(this);
            if (written - headSeen >= capacity) {
                throw new IllegalStateException(name + ": put without room");
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked") // only put() writes items
    public T peek() {
        if (keys != null && head == tailSeen) {
            tailSeen = (long) TAIL.getAcquire(this);
            if (head == tailSeen) {
                filled.listen();
                return null;
            }
        }
        T item = (T) ITEM.getAcquire(items, (int) head & mask);
        if (item == null) {
            filled.listen();
        }
        return item;
    }

    /** The key of the next item, which must exist; for a keyed link only. */
    public long headKey() {
        return keys[(int) head & mask];
    }

    /** The rank of the next item, which must exist; for a keyed link only. */
    public int headRank() {
        return ranks[(int) head & mask];
    }

    @Override
    public T poll() {
        T item = peek();
        if (item == null) {
            return null;
        }
        items[(int) head & mask] = null;
        if (weight != null) {
            WEIGHT_OUT.setRelease(this, weightOut + weight.applyAsLong(item));
        }
        HEAD.setRelease(this, head + 1);
        emptied.ring();
        return item;
    }

    /** Items that wait; any thread. */
    public int depth() {
        long taken = (long) HEAD.getAcquire(this);
        return (int) Math.max(0, (long) TAIL.getAcquire(this) - taken);
    }

    /** Bytes that wait; any thread. */
    public long depthBytes() {
        long taken = (long) WEIGHT_OUT.getAcquire(this);
        return Math.max(0, (long) WEIGHT_IN.getOpaque(this) - taken);
    }

    /** Items that have passed since the link was created; any thread. */
    public long passed() {
        return (long) HEAD.getAcquire(this);
    }

    /** Nanoseconds in which the writer found no room (periods that have ended); any thread. */
    public long noRoomNanos() {
        return (long) NO_ROOM_NANOS.getOpaque(this);
    }
}
