package io.tributary.mysql.event.mariadb;

import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.Text;
import java.nio.ByteBuffer;

/**
 * MariaDB's GTID_EVENT (162), which also begins a transaction: sequence u64, domain u32, flags u8; by the flags a group commit's id u64;
 * an XID (formatID u32, length of gtrid u8, length of bqual u8, gtrid, bqual); then, if bytes are left, more flags u8, and by these
 * a number of engines u8, the sequence u64 of the ALTER that ends. It is padded with zeros to {@link #FEWEST} bytes. The server's
 * id is in the header (MariaDB manual, "GTID_EVENT"; Gtid_log_event in sql/log_event.h).
 */
public final class MariadbGtidEvent {
    /** Flag: one statement follows, and no commit. */
    public static final int FL_STANDALONE = 1;
    /** Flag: the id of its group commit follows. */
    public static final int FL_GROUP_COMMIT_ID = 2;
    /** Flag: it can be rolled back. */
    public static final int FL_TRANSACTIONAL = 4;
    /** Flag: the statement is DDL. */
    public static final int FL_DDL = 32;
    /** Flag: rows of a branch follow, then XA END and XA_PREPARE; this event contains its XID. */
    public static final int FL_PREPARED_XA = 64;
    /** Flag: XA COMMIT or XA ROLLBACK follows; this event contains the branch's XID. */
    public static final int FL_COMPLETED_XA = 128;

    private static final int FL_START_ALTER = 2;
    private static final int FL_ROLLBACK_ALTER = 8;

    private static final int SEQUENCE_AT = EventHeader.LENGTH;
    private static final int DOMAIN_AT = SEQUENCE_AT + 8;
    private static final int FLAGS_AT = DOMAIN_AT + 4;
    private static final int MORE_AT = FLAGS_AT + 1;
    private static final int XID_HEAD = 4 + 1 + 1;
    private static final int MAX_PART = 64;
    /** Minimum number of bytes after the header. */
    private static final int FEWEST = 19;

    private MariadbGtidEvent() {}

    /** Rejects a truncated event, or one whose XID is too long. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, FEWEST, "GTID");
        long sequence = sequence(view, at);
        if (sequence < 1 || sequence == Long.MAX_VALUE) {
            throw Malformed.event(view, at, "a sequence of 1..2^63-2", Long.toUnsignedString(sequence));
        }
        if (hasXid(view, at)) {
            int xid = xidAt(view, at);
            Malformed.room(view, at, end, xid, XID_HEAD, "XID");
            int gtrid = LittleEndian.getU8(view, xid + 4);
            int bqual = LittleEndian.getU8(view, xid + 5);
            if (gtrid > MAX_PART || bqual > MAX_PART) {
                throw Malformed.event(view, at, "gtrid and bqual of at most 64 bytes", gtrid + " and " + bqual);
            }
            Malformed.room(view, at, end, xid + XID_HEAD, gtrid + bqual, "gtrid and bqual");
        }
    }

    /** The number within the domain, as an unsigned 64-bit value. */
    public static long sequence(ByteBuffer view, int at) {
        return LittleEndian.getLong(view, at + SEQUENCE_AT);
    }

    /** 0..2^32-1. */
    public static long domain(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at + DOMAIN_AT);
    }

    /** Bits such as {@link #FL_STANDALONE}. */
    public static int flags(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + FLAGS_AT);
    }

    /** The source; {@code known} itself if it is equal, so that nothing is allocated. */
    public static Sid sid(ByteBuffer view, int at, Sid known) {
        long domain = domain(view, at);
        long server = EventHeader.serverId(view, at);
        boolean same = known != null
                && MariadbGtids.isOne(known)
                && MariadbGtids.domain(known) == domain
                && MariadbGtids.server(known) == server;
        return same ? known : MariadbGtids.sid(domain, server);
    }

    /** Whether it contains a branch's XID. */
    private static boolean hasXid(ByteBuffer view, int at) {
        return (flags(view, at) & (FL_PREPARED_XA | FL_COMPLETED_XA)) != 0;
    }

    /** The branch of an event that has one. */
    public static Xid xid(ByteBuffer view, int at) {
        int from = xidAt(view, at);
        int gtrid = LittleEndian.getU8(view, from + 4);
        int bqual = LittleEndian.getU8(view, from + 5);
        int bytes = from + XID_HEAD;
        return new Xid(
                Text.bytes(view, bytes, bytes + gtrid),
                Text.bytes(view, bytes + gtrid, bytes + gtrid + bqual),
                LittleEndian.getInt(view, from));
    }

    /**
     * Whether the ALTER that follows only begins, or was rolled back (binlog_alter_two_phase): it is complete when it is logged again without
     * these flags.
     */
    public static boolean isUndoneAlter(ByteBuffer view, int at, int end) {
        int extra = hasXid(view, at) ? xidEnd(view, at) : xidAt(view, at);
        return extra < end && (LittleEndian.getU8(view, extra) & (FL_START_ALTER | FL_ROLLBACK_ALTER)) != 0;
    }

    private static int xidAt(ByteBuffer view, int at) {
        return at + MORE_AT + ((flags(view, at) & FL_GROUP_COMMIT_ID) == 0 ? 0 : 8);
    }

    private static int xidEnd(ByteBuffer view, int at) {
        int from = xidAt(view, at);
        return from + XID_HEAD + LittleEndian.getU8(view, from + 4) + LittleEndian.getU8(view, from + 5);
    }
}
