package io.tributary.common.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.ToLongFunction;

/**
 * A bounded queue between two stages: one writer, one reader, bounded by items and by weight (bytes).
 *
 * <p>There is room while fewer than {@code capacity} items and less than {@code maxWeight} bytes wait, so one item of any
 * size always passes. The time in which a writer asked and found no room is counted without a clock call per item.
 *
 * <p>A keyed link shows the next item's key beside it, so that its reader need not fetch the item from the writer's core to
 * look at it. Its items are shown in groups, at the latest with {@link #flush()}: a reader close behind the writer would else have
 * every cache line from it as often as there are items in it.
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

    /** Items of a keyed link that are shown together: they fill some cache lines. */
    private static final int GROUP = 64;

    private final String name;
    private final Object[] items;
    private final long[] keys; // null where items have no keys
    private final int[] ranks; // null where items have no keys
    private final int mask;
    private final long capacity;
    private final long maxWeight;
    private final ToLongFunction<? super T> weight; // null where items have no weight
    private volatile boolean isSilent; // seldom written, read while the link is empty
    private final Clock clock;
    private final Bell filled = new Bell();
    private final Bell emptied = new Bell();

    // written by the writer
    @SuppressWarnings("unused") // keeps the writer's fields and the reader's on different cache lines
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6;

    private long tail; // what the reader may see
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

    /**
     * @param capacity items, at least 1
     * @param maxWeight bytes, at least 1
     * @param weight the bytes of an item; called once by the writer and once by the reader, and must give both the same
     */
    public Link(String name, int capacity, long maxWeight, ToLongFunction<? super T> weight, Clock clock) {
        this(name, capacity, maxWeight, weight, clock, false);
    }

    private Link(
            String name, int capacity, long maxWeight, ToLongFunction<? super T> weight, Clock clock, boolean isKeyed) {
        if (capacity < 1 || maxWeight < 1) {
            throw new IllegalArgumentException(name + ": capacity and weight must be at least 1");
        }
        this.name = name;
        int size = Integer.highestOneBit(capacity) == capacity ? capacity : Integer.highestOneBit(capacity) << 1;
        this.items = new Object[size];
        this.keys = isKeyed ? new long[size] : null;
        this.ranks = isKeyed ? new int[size] : null;
        this.mask = size - 1;
        this.capacity = capacity;
        this.maxWeight = maxWeight;
        this.weight = weight;
        this.clock = clock;
    }

    /** A link whose items have no weight. */
    public Link(String name, int capacity, Clock clock) {
        this(name, capacity, Long.MAX_VALUE, null, clock, false);
    }

    /** A link whose items have no weight, and each a key and a rank that are put with it. */
    public static <T> Link<T> keyed(String name, int capacity, Clock clock) {
        return new Link<>(name, capacity, Long.MAX_VALUE, null, clock, true);
    }

    /** Whether items are put with {@link #put(Object, long, int)}, and only so. */
    public boolean isKeyed() {
        return keys != null;
    }

    /** Says whether its writer will put nothing for a time that nobody knows: a reader of several links need not wait for it. Any thread. */
    public void silent(boolean is) {
        isSilent = is;
    }

    /** As {@link #silent} said last; what is in it, or comes all the same, is to be read. */
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

    /** As far as the writer has looked: what the reader writes is looked at only when it may be. */
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
     * Puts an item with its key, by which the reader orders, and its rank among equal keys; a keyed link only. The reader may see it
     * after {@link #flush()} only.
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

    /** Shows the reader all that has been put; the writer calls it when it pauses. */
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

    /** The key of the next item, which is there; a keyed link only. */
    public long headKey() {
        return keys[(int) head & mask];
    }

    /** The rank of the next item, which is there; a keyed link only. */
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
