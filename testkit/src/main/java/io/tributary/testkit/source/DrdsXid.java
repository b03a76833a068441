package io.tributary.testkit.source;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Xid;
import java.nio.charset.StandardCharsets;

/**
 * The XID of a PolarDB-X branch: gtrid {@code drds-<txn id>@<suffix>}, both hexadecimal, bqual {@code <group>} or {@code <group>@<read
 * view>}. The suffix names the group in which the coordinator keeps its record of the transaction, so all branches have the same gtrid:
 * <b>gtrid and formatID identify the transaction</b> ({@link Xid#global()}), as with any other coordinator. Group and read view distinguish
 * its branches: a shard contains several groups, and parallel writes create several branches in one group, which only the read view
 * distinguishes. Neither is part of the transaction's identity.
 */
public record DrdsXid(long transactionId, long suffix, String group, String readView) {
    private static final String PREFIX = "drds-";

    /** Whether an XID has this form, judging by its prefix only. */
    public static boolean isOne(Xid xid) {
        return gtrid(xid).startsWith(PREFIX);
    }

    /**
     * Parses an XID of this form.
     *
     * @throws TributaryException {@code EVENT_MALFORMED} if it has the prefix but not the form
     */
    public static DrdsXid of(Xid xid) {
        String gtrid = gtrid(xid);
        int sign = gtrid.indexOf('@');
        if (!isOne(xid) || sign < 0) {
            throw refusal(xid, null);
        }
        String bqual = new String(xid.bqual(), StandardCharsets.ISO_8859_1);
        int view = bqual.lastIndexOf('@');
        try {
            return new DrdsXid(
                    Long.parseUnsignedLong(gtrid, PREFIX.length(), sign, 16),
                    Long.parseUnsignedLong(gtrid, sign + 1, gtrid.length(), 16),
                    view < 0 ? bqual : bqual.substring(0, view),
                    view < 0 ? "" : bqual.substring(view + 1));
        } catch (NumberFormatException e) {
            throw refusal(xid, e);
        }
    }

    /** The XID as the coordinator writes it, with formatID 1. */
    public Xid xid() {
        String gtrid = PREFIX + Long.toHexString(transactionId) + "@" + Long.toHexString(suffix);
        String bqual = readView.isEmpty() ? group : group + "@" + readView;
        return new Xid(gtrid.getBytes(StandardCharsets.ISO_8859_1), bqual.getBytes(StandardCharsets.ISO_8859_1), 1);
    }

    private static String gtrid(Xid xid) {
        return new String(xid.gtrid(), StandardCharsets.ISO_8859_1);
    }

    private static TributaryException refusal(Xid xid, NumberFormatException cause) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED, "expected a gtrid drds-<hexadecimal>@<hexadecimal>, found " + xid, cause);
    }
}
