package io.tributary.common.gtid;

import java.util.Arrays;

/** Set operations on sorted, disjoint, non-adjacent intervals in a flat array: start, end (exclusive), start, end, ... */
final class Intervals {
    static final long[] NONE = {};

    private Intervals() {}

    /** Whether {@code gno} is in one of the intervals of the first {@code size} bounds. */
    static boolean contains(long[] bounds, int size, long gno) {
        return (count(bounds, size, gno) & 1) == 1;
    }

    /** The first number from {@code gno} on that is in none of the intervals. */
    static long firstMissing(long[] bounds, int size, long gno) {
        int count = count(bounds, size, gno);
        return (count & 1) == 1 ? bounds[count] : gno;
    }

    /** The number of bounds that are at most {@code gno}: odd within an interval, even between two. */
    static int count(long[] bounds, int size, long gno) {
        int found = Arrays.binarySearch(bounds, 0, size, gno);
        return found >= 0 ? found + 1 : -found - 1;
    }

    static boolean containsAll(long[] bounds, long[] part) {
        for (int i = 0; i < part.length; i += 2) {
            int index = count(bounds, bounds.length, part[i]);
            if ((index & 1) == 0 || bounds[index] < part[i + 1]) {
                return false;
            }
        }
        return true;
    }

    static long[] union(long[] a, long[] b) {
        return sweep(a, b, Rule.UNION);
    }

    static long[] minus(long[] a, long[] b) {
        return sweep(a, b, Rule.MINUS);
    }

    static long[] intersect(long[] a, long[] b) {
        return sweep(a, b, Rule.INTERSECT);
    }

    static long total(long[] bounds) {
        long total = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            total += bounds[i + 1] - bounds[i];
        }
        return total;
    }

    private enum Rule {
        UNION,
        MINUS,
        INTERSECT;

        boolean holds(boolean inA, boolean inB) {
            return switch (this) {
                case UNION -> inA || inB;
                case MINUS -> inA && !inB;
                case INTERSECT -> inA && inB;
            };
        }
    }

    /** Visits all bounds in order and records where the rule begins or ends to hold. */
    private static long[] sweep(long[] a, long[] b, Rule rule) {
        long[] result = new long[a.length + b.length];
        int size = 0;
        int i = 0;
        int j = 0;
        while (i < a.length || j < b.length) {
            long point = i == a.length ? b[j] : j == b.length ? a[i] : Math.min(a[i], b[j]);
            if (i < a.length && a[i] == point) {
                i++;
            }
            if (j < b.length && b[j] == point) {
                j++;
            }
            boolean was = (size & 1) == 1;
            boolean is = rule.holds((i & 1) == 1, (j & 1) == 1);
            if (was != is) {
                result[size++] = point;
            }
        }
        return size == result.length ? result : Arrays.copyOf(result, size);
    }
}
