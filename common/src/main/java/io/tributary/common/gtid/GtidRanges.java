package io.tributary.common.gtid;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects ranges of GTIDs in any order, with repeats and overlaps, and makes a set of them in O(n log n): data from the network may be
 * ordered so that adding one by one would take O(n^2). For one thread.
 */
final class GtidRanges {
    private final TreeMap<Sid, Ranges> sources = new TreeMap<>();
    private Sid lastSid;
    private Ranges lastRanges;

    /** Start and end (exclusive) of each range, alternating. */
    private static final class Ranges {
        private long[] bounds = new long[2];
        private int size;
        private boolean isAscending = true;

        private void add(long start, long behind) {
            if (size == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * size);
            }
            isAscending &= size == 0 || bounds[size - 1] < start;
            bounds[size++] = start;
            bounds[size++] = behind;
        }

        private void addTo(GtidSet.Builder builder, Sid sid) {
            long[] sorted = isAscending ? bounds : sorted();
            int at = 0;
            while (at < size) {
                long start = sorted[at];
                long behind = sorted[at + 1];
                at += 2;
                while (at < size && sorted[at] <= behind) {
                    behind = Math.max(behind, sorted[at + 1]);
                    at += 2;
                }
                builder.addRange(sid, start, behind - 1);
            }
        }

        private long[] sorted() {
            long[][] pairs = new long[size / 2][];
            for (int i = 0; i < pairs.length; i++) {
                pairs[i] = new long[] {bounds[2 * i], bounds[2 * i + 1]};
            }
            Arrays.sort(pairs, Comparator.comparingLong(pair -> pair[0]));
            long[] sorted = new long[size];
            for (int i = 0; i < pairs.length; i++) {
                sorted[2 * i] = pairs[i][0];
                sorted[2 * i + 1] = pairs[i][1];
            }
            return sorted;
        }
    }

    /** Adds {@code first..last}, both included. */
    void add(Sid sid, long first, long last) {
        if (!sid.equals(lastSid)) {
            lastSid = sid;
            lastRanges = sources.computeIfAbsent(sid, absent -> new Ranges());
        }
        lastRanges.add(first, last + 1);
    }

    /** @throws IllegalArgumentException if a number is not valid in a GTID */
    GtidSet build() {
        GtidSet.Builder builder = new GtidSet.Builder();
        for (Map.Entry<Sid, Ranges> source : sources.entrySet()) {
            source.getValue().addTo(builder, source.getKey());
        }
        return builder.build();
    }
}
