package io.tributary.common.gtid;

import java.util.Arrays;

/** The growing intervals of one source in a {@link GtidSet.Builder}; see {@link Intervals} for the form. */
final class IntervalBuffer {
    private long[] bounds;
    private int size;
    private long[] snapshot;

    /** Starts with an immutable array, which is not changed. */
    IntervalBuffer(long[] initial) {
        bounds = initial;
        size = initial.length;
        snapshot = initial;
    }

    boolean contains(long gno) {
        return Intervals.contains(bounds, size, gno);
    }

    /** Adds one number and returns whether it was new. O(1) at the end of the last interval. */
    boolean add(long gno) {
        if (size > 0 && bounds[size - 1] == gno) {
            makeOwn(size);
            bounds[size - 1] = gno + 1;
            return true;
        }
        int index = Intervals.count(bounds, size, gno);
        boolean touchesLeft = index > 0 && bounds[index - 1] == gno;
        if ((index & 1) == 1) {
            return false;
        }
        boolean touchesRight = index < size && bounds[index] == gno + 1;
        if (touchesLeft && touchesRight) {
            makeOwn(size);
            System.arraycopy(bounds, index + 1, bounds, index - 1, size - index - 1);
            size -= 2;
        } else if (touchesLeft) {
            makeOwn(size);
            bounds[index - 1]++;
        } else if (touchesRight) {
            makeOwn(size);
            bounds[index]--;
        } else {
            makeOwn(size + 2);
            System.arraycopy(bounds, index, bounds, index + 2, size - index);
            bounds[index] = gno;
            bounds[index + 1] = gno + 1;
            size += 2;
        }
        return true;
    }

    /** Adds {@code start..behind-1}. O(1) after the last interval. */
    void addRange(long start, long behind) {
        if (size > 0 && bounds[size - 1] >= start) {
            addAll(new long[] {start, behind});
            return;
        }
        makeOwn(size + 2);
        bounds[size++] = start;
        bounds[size++] = behind;
    }

    void addAll(long[] others) {
        if (size == 0) {
            bounds = others;
            size = others.length;
            snapshot = others;
        } else if (!Intervals.containsAll(view(), others)) {
            bounds = Intervals.union(view(), others);
            size = bounds.length;
            snapshot = bounds;
        }
    }

    /** An immutable array of the current intervals; the same array as long as nothing changes. */
    long[] view() {
        if (snapshot == null) {
            snapshot = Arrays.copyOf(bounds, size);
        }
        return snapshot;
    }

    /** Makes room in an array that is not shared. */
    private void makeOwn(int room) {
        if (bounds == snapshot || room > bounds.length) {
            bounds = Arrays.copyOf(bounds, Math.max(room, size + Math.max(2, size / 2)));
        }
        snapshot = null;
    }
}
