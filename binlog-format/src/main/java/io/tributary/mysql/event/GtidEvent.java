package io.tributary.mysql.event;

import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * GTID_LOG_EVENT (33) and, in the same form with sid and gno 0, ANONYMOUS_GTID_LOG_EVENT (34): flags u8, sid 16 bytes, gno u64,
 * type of logical clock u8, last_committed u64, sequence_number u64; in MySQL 8.0 then commit time (7 bytes, its highest bit
 * marks that 7 bytes with the original one follow), transaction length (length-encoded), server version u32 (its highest bit
 * marks that the original one follows); from 8.2 on a ticket u64 (Gtid_event in libbinlogevents/include/control_events.h).
 *
 * <p>{@link #write} writes events of constant {@link #LENGTH}, so that sid, numbers and transaction length can be filled in later.
 */
public final class GtidEvent {
    /** Flag: the transaction may contain statements that are not logged as rows. */
    public static final int FLAG_MAY_HAVE_SBR = 1;

    private static final int FLAGS_AT = EventHeader.LENGTH;
    private static final int SID_AT = FLAGS_AT + 1;
    private static final int GNO_AT = SID_AT + 16;
    private static final int CLOCK_TYPE_AT = GNO_AT + 8;
    private static final int LAST_COMMITTED_AT = CLOCK_TYPE_AT + 1;
    private static final int SEQUENCE_NUMBER_AT = LAST_COMMITTED_AT + 8;
    private static final int IMMEDIATE_COMMIT_AT = SEQUENCE_NUMBER_AT + 8;
    private static final int COMMIT_LENGTH = 7;
    private static final long ORIGINAL_COMMIT_FOLLOWS = 1L << 55;
    private static final long ORIGINAL_VERSION_FOLLOWS = 1L << 31;
    private static final int LOGICAL_CLOCK = 2;
    private static final int TRANSACTION_LENGTH_AT = IMMEDIATE_COMMIT_AT + COMMIT_LENGTH;
    private static final int VERSION_AT = TRANSACTION_LENGTH_AT + PackedInteger.MAX_LENGTH;

    /** Bytes of an event that {@link #write} writes, without checksum. */
    public static final int LENGTH = VERSION_AT + 4;

    private GtidEvent() {}

    /** Rejects a truncated event, and a gno outside 1..2^63-2 unless it is anonymous; fields of later versions may be missing. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, LAST_COMMITTED_AT - EventHeader.LENGTH, "GTID");
        long gno = gno(view, at);
        boolean anonymous = EventHeader.type(view, at) == EventType.ANONYMOUS_GTID_LOG_EVENT;
        if (!anonymous && (gno < 1 || gno == Long.MAX_VALUE)) {
            throw Malformed.event(view, at, "a transaction number of 1..2^63-2", Long.toString(gno));
        }
        if (end == at + LAST_COMMITTED_AT) {
            return;
        }
        int commit = IMMEDIATE_COMMIT_AT - LAST_COMMITTED_AT;
        Malformed.room(view, at, end, at + LAST_COMMITTED_AT, commit, "last_committed and sequence_number");
        if (end == at + IMMEDIATE_COMMIT_AT) {
            return;
        }
        Malformed.room(view, at, end, at + IMMEDIATE_COMMIT_AT, COMMIT_LENGTH, "commit timestamp");
        int length = transactionLengthAt(view, at);
        Malformed.room(
                view, at, end, at + IMMEDIATE_COMMIT_AT, length - at - IMMEDIATE_COMMIT_AT, "original commit time");
        if (length == end) {
            return;
        }
        int version = length + Malformed.packed(view, at, end, length, "transaction length");
        if (version < end) {
            Malformed.room(view, at, end, version, 4, "server version");
            Malformed.room(
                    view, at, end, version, hasOriginalVersion(view, version) ? 8 : 4, "original server version");
        }
    }

    /** {@link #FLAG_MAY_HAVE_SBR} or 0. */
    public static int flags(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + FLAGS_AT);
    }

    /** First 8 bytes of the UUID, as {@link UUID#getMostSignificantBits()}. */
    public static long uuidMost(ByteBuffer view, int at) {
        return Long.reverseBytes(LittleEndian.getLong(view, at + SID_AT));
    }

    /** Last 8 bytes of the UUID, as {@link UUID#getLeastSignificantBits()}. */
    public static long uuidLeast(ByteBuffer view, int at) {
        return Long.reverseBytes(LittleEndian.getLong(view, at + SID_AT + 8));
    }

    /** The source of the GTID. */
    public static UUID uuid(ByteBuffer view, int at) {
        return new UUID(uuidMost(view, at), uuidLeast(view, at));
    }

    /** The source; {@code known} itself if it is equal, so that nothing is allocated. */
    public static Sid sid(ByteBuffer view, int at, Sid known) {
        boolean same = known != null
                && known.tag().isEmpty()
                && known.uuid().getMostSignificantBits() == uuidMost(view, at)
                && known.uuid().getLeastSignificantBits() == uuidLeast(view, at);
        return same ? known : new Sid(uuid(view, at));
    }

    /** The transaction's number, from 1; 0 in an anonymous one. */
    public static long gno(ByteBuffer view, int at) {
        return LittleEndian.getLong(view, at + GNO_AT);
    }

    /** The logical clock of the transaction on which it depends; 0 if the server writes none. */
    public static long lastCommitted(ByteBuffer view, int at, int end) {
        return hasClock(view, at, end) ? LittleEndian.getLong(view, at + LAST_COMMITTED_AT) : 0;
    }

    /** Its own logical clock, from 1 in each file; 0 if the server writes none. */
    public static long sequenceNumber(ByteBuffer view, int at, int end) {
        return hasClock(view, at, end) ? LittleEndian.getLong(view, at + SEQUENCE_NUMBER_AT) : 0;
    }

    /** Commit time on this server, µs since 1970; 0 if the server writes none (5.7). */
    public static long immediateCommitMicros(ByteBuffer view, int at, int end) {
        return hasCommit(at, end) ? LittleEndian.getU56(view, at + IMMEDIATE_COMMIT_AT) & ~ORIGINAL_COMMIT_FOLLOWS : 0;
    }

    /** Commit time on the server where it began, µs since 1970; 0 if unknown. */
    static long originalCommitMicros(ByteBuffer view, int at, int end) {
        return hasCommit(at, end) && hasOriginalCommit(view, at)
                ? LittleEndian.getU56(view, at + IMMEDIATE_COMMIT_AT + COMMIT_LENGTH)
                : immediateCommitMicros(view, at, end);
    }

    /** Bytes of the whole transaction in the file, from this event on, with checksums; 0 if the server writes none. */
    public static long transactionLength(ByteBuffer view, int at, int end) {
        int from = hasCommit(at, end) ? transactionLengthAt(view, at) : end;
        return from < end ? PackedInteger.get(view, from) : 0;
    }

    /** This server's version such as 80031; 0 if the server writes none. */
    public static int immediateServerVersion(ByteBuffer view, int at, int end) {
        int from = serverVersionAt(view, at, end);
        return from < end ? (int) (LittleEndian.getU32(view, from) & ~ORIGINAL_VERSION_FOLLOWS) : 0;
    }

    /** The version of the server where it began, such as 80031; 0 if unknown. */
    static int originalServerVersion(ByteBuffer view, int at, int end) {
        int from = serverVersionAt(view, at, end);
        boolean follows = from < end && hasOriginalVersion(view, from);
        return follows ? LittleEndian.getInt(view, from + 4) : immediateServerVersion(view, at, end);
    }

    /**
     * Writes an event of {@link #LENGTH} without checksum, log_pos 0, whose flags, sid, gno, last_committed, sequence_number and
     * transaction length are 0 until they are set.
     *
     * @param commitMicros commit time, µs since 1970; 0 if unknown
     * @param serverVersion such as 80031
     */
    public static void write(ByteBuffer buf, int at, EventOrigin origin, long commitMicros, int serverVersion) {
        EventHeader.write(buf, at, origin, EventType.GTID_LOG_EVENT, LENGTH);
        setFlags(buf, at, 0);
        setSid(buf, at, 0, 0);
        setGno(buf, at, 0);
        LittleEndian.putU8(buf, at + CLOCK_TYPE_AT, LOGICAL_CLOCK);
        setLogicalClock(buf, at, 0, 0);
        LittleEndian.putU56(buf, at + IMMEDIATE_COMMIT_AT, commitMicros & (ORIGINAL_COMMIT_FOLLOWS - 1));
        setTransactionLength(buf, at, 0);
        LittleEndian.putInt(buf, at + VERSION_AT, serverVersion);
    }

    /** Sets the flags: {@link #FLAG_MAY_HAVE_SBR} with a DDL statement, else 0. */
    public static void setFlags(ByteBuffer buf, int at, int flags) {
        LittleEndian.putU8(buf, at + FLAGS_AT, flags);
    }

    /** Sets the UUID from its two halves, see {@link UUID}. */
    public static void setSid(ByteBuffer buf, int at, long uuidMost, long uuidLeast) {
        LittleEndian.putLong(buf, at + SID_AT, Long.reverseBytes(uuidMost));
        LittleEndian.putLong(buf, at + SID_AT + 8, Long.reverseBytes(uuidLeast));
    }

    /** Sets the number, 1..2^63-2. */
    public static void setGno(ByteBuffer buf, int at, long gno) {
        LittleEndian.putLong(buf, at + GNO_AT, gno);
    }

    /** Sets last_committed and sequence_number, which count from the beginning of the file. */
    public static void setLogicalClock(ByteBuffer buf, int at, long lastCommitted, long sequenceNumber) {
        LittleEndian.putLong(buf, at + LAST_COMMITTED_AT, lastCommitted);
        LittleEndian.putLong(buf, at + SEQUENCE_NUMBER_AT, sequenceNumber);
    }

    /** Sets the bytes of the whole transaction, including checksums, in an event that {@link #write} wrote. */
    public static void setTransactionLength(ByteBuffer buf, int at, long bytes) {
        PackedInteger.putLongest(buf, at + TRANSACTION_LENGTH_AT, bytes);
    }

    private static boolean hasClock(ByteBuffer view, int at, int end) {
        return end >= at + IMMEDIATE_COMMIT_AT && LittleEndian.getU8(view, at + CLOCK_TYPE_AT) == LOGICAL_CLOCK;
    }

    private static boolean hasCommit(int at, int end) {
        return end >= at + IMMEDIATE_COMMIT_AT + COMMIT_LENGTH;
    }

    private static boolean hasOriginalCommit(ByteBuffer view, int at) {
        return (LittleEndian.getU56(view, at + IMMEDIATE_COMMIT_AT) & ORIGINAL_COMMIT_FOLLOWS) != 0;
    }

    private static boolean hasOriginalVersion(ByteBuffer view, int versionAt) {
        return (LittleEndian.getU32(view, versionAt) & ORIGINAL_VERSION_FOLLOWS) != 0;
    }

    private static int transactionLengthAt(ByteBuffer view, int at) {
        int commits = hasOriginalCommit(view, at) ? 2 * COMMIT_LENGTH : COMMIT_LENGTH;
        return at + IMMEDIATE_COMMIT_AT + commits;
    }

    private static int serverVersionAt(ByteBuffer view, int at, int end) {
        int from = hasCommit(at, end) ? transactionLengthAt(view, at) : end;
        return from < end ? PackedInteger.end(view, from) : end;
    }
}
