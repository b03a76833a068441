package io.tributary.common.gtid;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * MySQL's binary form of a GTID set (Gtid_set::encode, encode_nsids_format in sql/rpl_gtid_set.cc): u64 number of sources, then
 * for each its 16 bytes of UUID, u64 number of intervals, and u64 start and u64 end (exclusive) of each. In the tagged form
 * the first u64 is 1 in its lowest and highest byte with the number of sources between, and a tag follows each UUID: a
 * byte with twice its length, then its letters.
 */
final class GtidSetBytes {
    private static final int UUID_LENGTH = 16;
    private static final int INTERVAL_LENGTH = 16;
    private static final long TAGGED = 1;

    private GtidSetBytes() {}

    static int length(GtidSet set) {
        boolean tagged = isTagged(set);
        long length = Long.BYTES;
        for (int i = 0; i < set.sources(); i++) {
            length += UUID_LENGTH + Long.BYTES + (long) set.bounds(i).length * Long.BYTES;
            length += tagged ? 1 + set.sid(i).tag().length() : 0;
        }
        return Math.toIntExact(length);
    }

    static int encode(GtidSet set, ByteBuffer buf, int at) {
        boolean tagged = isTagged(set);
        long sources = set.sources();
        LittleEndian.putLong(buf, at, tagged ? TAGGED << 56 | sources << 8 | TAGGED : sources);
        int to = at + Long.BYTES;
        for (int i = 0; i < set.sources(); i++) {
            Sid sid = set.sid(i);
            LittleEndian.putLong(buf, to, Long.reverseBytes(sid.uuid().getMostSignificantBits()));
            LittleEndian.putLong(buf, to + 8, Long.reverseBytes(sid.uuid().getLeastSignificantBits()));
            to += UUID_LENGTH;
            if (tagged) {
                byte[] tag = sid.tag().getBytes(StandardCharsets.US_ASCII);
                LittleEndian.putU8(buf, to, tag.length << 1);
                buf.put(to + 1, tag);
                to += 1 + tag.length;
            }
            long[] bounds = set.bounds(i);
            LittleEndian.putLong(buf, to, bounds.length / 2);
            to += Long.BYTES;
            for (long bound : bounds) {
                LittleEndian.putLong(buf, to, bound);
                to += Long.BYTES;
            }
        }
        return to;
    }

    static GtidSet decode(ByteBuffer view, int at, int length) {
        int end = at + length;
        require(view, at, end, Long.BYTES, "the number of sources");
        long header = LittleEndian.getLong(view, at);
        long format = header >>> 56;
        if (format > TAGGED) {
            throw new IllegalArgumentException("GTID set: expected format 0 (untagged) or 1 (tagged), found " + format);
        }
        boolean tagged = format == TAGGED;
        long sources = tagged ? header >>> 8 & 0xffff_ffff_ffffL : header;
        int from = at + Long.BYTES;
        GtidRanges ranges = new GtidRanges();
        for (long i = 0; i < sources; i++) {
            require(view, from, end, UUID_LENGTH, "a UUID");
            UUID uuid = new UUID(
                    Long.reverseBytes(LittleEndian.getLong(view, from)),
                    Long.reverseBytes(LittleEndian.getLong(view, from + 8)));
            from += UUID_LENGTH;
            String tag = tagged ? tag(view, from, end) : "";
            from += tagged ? 1 + tag.length() : 0;
            from = decodeIntervals(view, from, end, new Sid(uuid, tag), ranges);
        }
        if (from != end) {
            throw new IllegalArgumentException("GTID set: expected the end after " + sources + " sources at byte "
                    + (from - at) + ", found " + (end - from) + " bytes more");
        }
        return ranges.build();
    }

    private static int decodeIntervals(ByteBuffer view, int at, int end, Sid sid, GtidRanges ranges) {
        require(view, at, end, Long.BYTES, "the number of intervals");
        long count = LittleEndian.getLong(view, at);
        int from = at + Long.BYTES;
        if (count < 0 || count > (end - from) / INTERVAL_LENGTH) {
            throw new IllegalArgumentException("GTID set: expected " + Long.toUnsignedString(count) + " intervals of "
                    + sid + ", found " + (end - from) + " bytes");
        }
        long previous = 0;
        for (long i = 0; i < count; i++) {
            long start = LittleEndian.getLong(view, from);
            long behind = LittleEndian.getLong(view, from + 8);
            if (start <= previous || behind <= start) {
                throw new IllegalArgumentException("GTID set: expected an interval of " + sid + " after " + previous
                        + ", found " + start + " to " + behind + " (exclusive)");
            }
            ranges.add(sid, start, behind - 1);
            previous = behind;
            from += INTERVAL_LENGTH;
        }
        return from;
    }

    private static String tag(ByteBuffer view, int at, int end) {
        require(view, at, end, 1, "the length of a tag");
        int encoded = LittleEndian.getU8(view, at);
        if ((encoded & 1) != 0 || encoded >> 1 > Sid.MAX_TAG_LENGTH) {
            throw new IllegalArgumentException(
                    "GTID set: expected twice the length of a tag (0..64, even), found " + encoded);
        }
        require(view, at + 1, end, encoded >> 1, "a tag");
        byte[] tag = new byte[encoded >> 1];
        view.get(at + 1, tag);
        return new String(tag, StandardCharsets.ISO_8859_1);
    }

    private static boolean isTagged(GtidSet set) {
        for (int i = 0; i < set.sources(); i++) {
            if (!set.sid(i).tag().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static void require(ByteBuffer view, int at, int end, int bytes, String content) {
        if (at < 0 || end > view.limit() || end - at < bytes) {
            throw new IllegalArgumentException("GTID set: expected " + bytes + " bytes with " + content + ", found "
                    + (Math.min(end, view.limit()) - at));
        }
    }
}
