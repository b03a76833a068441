package io.tributary.common.gtid;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * An immutable set of GTIDs, compared by value: for each source sorted intervals of transaction numbers (MySQL manual, "GTID Sets").
 * To collect GTIDs one by one use a {@link Builder}.
 */
public final class GtidSet {
    /** The set of no GTIDs. */
    public static final GtidSet EMPTY = new GtidSet(new Sid[0], new long[0][]);

    private static final int MOST_SCANNED = 8;

    private final Sid[] sids; // in ascending order
    private final long[][] intervals;

    private GtidSet(Sid[] sids, long[][] intervals) {
        this.sids = sids;
        this.intervals = intervals;
    }

    /**
     * Reads MySQL's text: {@code uuid[:tag]:interval[:interval...][,uuid...]}, white space anywhere between, any case, any
     * order, repeats and overlaps allowed; a backward interval (5-3) is empty as in MySQL.
     *
     * @throws IllegalArgumentException with what was expected and found
     */
    public static GtidSet parse(String text) {
        return GtidSetText.parse(text);
    }

    /**
     * Reads MySQL's binary form, untagged or tagged (see {@link #encode(ByteBuffer, int)}), which must fill the range.
     *
     * @param view read only, from {@code at} to {@code at + length}
     * @throws IllegalArgumentException with what was expected and found
     */
    public static GtidSet decode(ByteBuffer view, int at, int length) {
        return GtidSetBytes.decode(view, at, length);
    }

    /** As {@link #decode(ByteBuffer, int, int)}, for a whole array. */
    public static GtidSet decode(byte[] view) {
        return decode(ByteBuffer.wrap(view), 0, view.length);
    }

    /** Bytes that {@link #encode(ByteBuffer, int)} writes. */
    public int encodedLength() {
        return GtidSetBytes.length(this);
    }

    /**
     * Writes MySQL's binary form as in COM_BINLOG_DUMP_GTID and PREVIOUS_GTIDS_LOG_EVENT: the untagged one, which every
     * version reads, if no source has a tag, otherwise the tagged one of 8.3 (Gtid_set::encode in sql/rpl_gtid_set.cc).
     *
     * @return the position after it
     */
    public int encode(ByteBuffer buf, int at) {
        return GtidSetBytes.encode(this, buf, at);
    }

    /** As {@link #encode(ByteBuffer, int)}, into a new array. */
    public byte[] encode() {
        byte[] bytes = new byte[encodedLength()];
        encode(ByteBuffer.wrap(bytes), 0);
        return bytes;
    }

    public boolean isEmpty() {
        return sids.length == 0;
    }

    /** The sources, in MySQL's order. */
    public List<Sid> sids() {
        return Collections.unmodifiableList(Arrays.asList(sids));
    }

    /** The number of GTIDs; 2^63-1 if there are more. */
    public long count() {
        long count = 0;
        for (long[] bounds : intervals) {
            count += Intervals.total(bounds);
            if (count < 0) {
                return Long.MAX_VALUE;
            }
        }
        return count;
    }

    /** The highest number of a source; 0 if it has none. */
    public long last(Sid sid) {
        long[] bounds = of(sid);
        return bounds.length == 0 ? 0 : bounds[bounds.length - 1] - 1;
    }

    public boolean contains(Sid sid, long gno) {
        long[] bounds = of(sid);
        return Intervals.contains(bounds, bounds.length, gno);
    }

    /** The first number from {@code gno} on that this set does not contain for a source. */
    public long firstMissing(Sid sid, long gno) {
        long[] bounds = of(sid);
        return Intervals.firstMissing(bounds, bounds.length, gno);
    }

    public boolean contains(Gtid gtid) {
        return contains(gtid.sid(), gtid.gno());
    }

    public boolean containsAll(GtidSet part) {
        for (int i = 0; i < part.sids.length; i++) {
            if (!Intervals.containsAll(of(part.sids[i]), part.intervals[i])) {
                return false;
            }
        }
        return true;
    }

    /** This set and one more GTID. */
    public GtidSet plus(Sid sid, long gno) {
        return contains(sid, gno) ? this : toBuilder().add(sid, gno).build();
    }

    /** The GTIDs that are in either set. */
    public GtidSet union(GtidSet other) {
        return toBuilder().addAll(other).build();
    }

    /** The GTIDs that are in this set and not in the other. */
    public GtidSet minus(GtidSet other) {
        return combined(other, Intervals::minus);
    }

    /** The GTIDs that are in both sets. */
    public GtidSet intersect(GtidSet other) {
        return combined(other, Intervals::intersect);
    }

    private GtidSet combined(GtidSet other, BinaryOperator<long[]> operation) {
        SortedMap<Sid, long[]> result = new TreeMap<>();
        for (int i = 0; i < sids.length; i++) {
            long[] bounds = operation.apply(intervals[i], other.of(sids[i]));
            if (bounds.length > 0) {
                result.put(sids[i], bounds);
            }
        }
        return of(result);
    }

    /** A builder that starts with the GTIDs of this set. */
    public Builder toBuilder() {
        return new Builder().addAll(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GtidSet set
                && Arrays.equals(sids, set.sids)
                && Arrays.deepEquals(intervals, set.intervals);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(sids) + Arrays.deepHashCode(intervals);
    }

    /** MySQL's canonical text as in {@code @@gtid_executed}: a comma and a line feed between UUIDs; "" if empty. */
    @Override
    public String toString() {
        return GtidSetText.write(this, ",\n");
    }

    /** As {@link #toString()} without line feeds, for log lines and statements. */
    public String line() {
        return GtidSetText.write(this, ",");
    }

    int sources() {
        return sids.length;
    }

    Sid sid(int index) {
        return sids[index];
    }

    long[] bounds(int index) {
        return intervals[index];
    }

    private long[] of(Sid sid) {
        if (sids.length > MOST_SCANNED) {
            int found = Arrays.binarySearch(sids, sid);
            return found < 0 ? Intervals.NONE : intervals[found];
        }
        for (int i = 0; i < sids.length; i++) {
            if (sids[i].equals(sid)) {
                return intervals[i];
            }
        }
        return Intervals.NONE;
    }

    private static GtidSet of(SortedMap<Sid, long[]> sources) {
        if (sources.isEmpty()) {
            return EMPTY;
        }
        return new GtidSet(
                sources.keySet().toArray(new Sid[0]), sources.values().toArray(new long[0][]));
    }

    /**
     * Collects GTIDs: adding the next GTID of a source takes constant time, and a snapshot copies only the intervals of sources
     * that changed since the last snapshot. For one thread.
     */
    public static final class Builder {
        private final TreeMap<Sid, IntervalBuffer> sources = new TreeMap<>();
        private Sid lastSid;
        private IntervalBuffer lastBuffer;
        private GtidSet snapshot = EMPTY;

        /** Adds one GTID; adding it again changes nothing. */
        public Builder add(Sid sid, long gno) {
            Gtid.requireGno(gno);
            if (buffer(sid).add(gno)) {
                snapshot = null;
            }
            return this;
        }

        public Builder add(Gtid gtid) {
            return add(gtid.sid(), gtid.gno());
        }

        /** Adds {@code first..last}, both included. */
        public Builder addRange(Sid sid, long first, long last) {
            Gtid.requireGno(first);
            Gtid.requireGno(last);
            if (last < first) {
                throw new IllegalArgumentException("expected an interval, found " + first + "-" + last);
            }
            buffer(sid).addRange(first, last + 1);
            snapshot = null;
            return this;
        }

        public Builder addAll(GtidSet set) {
            for (int i = 0; i < set.sids.length; i++) {
                buffer(set.sids[i]).addAll(set.intervals[i]);
                snapshot = null;
            }
            return this;
        }

        public boolean contains(Sid sid, long gno) {
            IntervalBuffer found = find(sid);
            return found != null && found.contains(gno);
        }

        /** An immutable set of the collected GTIDs. */
        public GtidSet build() {
            if (snapshot == null) {
                Sid[] sids = sources.keySet().toArray(new Sid[0]);
                long[][] intervals = new long[sids.length][];
                int i = 0;
                for (IntervalBuffer buffer : sources.values()) {
                    intervals[i++] = buffer.view();
                }
                snapshot = new GtidSet(sids, intervals);
            }
            return snapshot;
        }

        private IntervalBuffer buffer(Sid sid) {
            IntervalBuffer found = find(sid);
            if (found == null) {
                found = new IntervalBuffer(Intervals.NONE);
                sources.put(sid, found);
                lastSid = sid;
                lastBuffer = found;
            }
            return found;
        }

        private IntervalBuffer find(Sid sid) {
            if (sid.equals(lastSid)) {
                return lastBuffer;
            }
            IntervalBuffer found = sources.get(sid);
            if (found != null) {
                lastSid = sid;
                lastBuffer = found;
            }
            return found;
        }
    }
}
