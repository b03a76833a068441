package io.tributary.common.gtid;

import java.util.Objects;
import java.util.UUID;

/**
 * One transaction's global id.
 *
 * @param sid the source: the server that committed it first
 * @param gno its number at the source, {@link #MIN_GNO}..{@link #MAX_GNO}
 */
public record Gtid(Sid sid, long gno) implements Comparable<Gtid> {
    /** The first number. */
    public static final long MIN_GNO = 1;
    /** The highest number that MySQL assigns, 2^63-2 ({@code GNO_END - 1} in sql/rpl_gtid.h). */
    public static final long MAX_GNO = Long.MAX_VALUE - 1;

    /** Checks the range. */
    public Gtid {
        Objects.requireNonNull(sid, "sid");
        requireGno(gno);
    }

    /** A GTID without a tag. */
    public Gtid(UUID uuid, long gno) {
        this(new Sid(uuid), gno);
    }

    /**
     * Reads {@code uuid:gno}, {@code uuid:tag:gno} or, see {@link MariadbGtids}, {@code domain-server-sequence}.
     *
     * @throws IllegalArgumentException with what was expected and found
     */
    public static Gtid parse(String text) {
        if (MariadbGtids.isOne(text)) {
            GtidSet upTo = MariadbGtids.upTo(text);
            Sid sid = upTo.sids().get(0);
            return new Gtid(sid, upTo.last(sid));
        }
        GtidText in = new GtidText(text);
        UUID uuid = in.uuid();
        in.expect(':');
        String tag = "";
        if (!in.atDigit()) {
            tag = in.tag();
            in.expect(':');
        }
        long gno = in.gno();
        in.expectEnd();
        return new Gtid(new Sid(uuid, tag), gno);
    }

    /** The text that {@link #parse} reads. */
    public static String text(Sid sid, long gno) {
        return MariadbGtids.isOne(sid) ? MariadbGtids.text(sid, gno) : sid + ":" + gno;
    }

    static void requireGno(long gno) {
        if (gno < MIN_GNO || gno > MAX_GNO) {
            throw new IllegalArgumentException("expected a transaction number of 1..2^63-2, found " + gno);
        }
    }

    @Override
    public int compareTo(Gtid other) {
        int order = sid.compareTo(other.sid);
        return order == 0 ? Long.compare(gno, other.gno) : order;
    }

    /** As {@link #text}. */
    @Override
    public String toString() {
        return text(sid, gno);
    }
}
