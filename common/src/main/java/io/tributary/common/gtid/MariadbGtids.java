package io.tributary.common.gtid;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts MariaDB's GTIDs, {@code domain-server-sequence} (MariaDB manual, "Global Transaction ID"): each pair of domain and server is a
 * source, whose UUID contains both, and the sequence is the transaction's number.
 *
 * <p>A MariaDB server resumes at a position: the newest GTID of each domain. So the known transactions of a domain are always all up to
 * one number, whichever of its servers wrote them, and two sets are compared by the newest number of each domain.
 */
public final class MariadbGtids {
    /** First half of the UUIDs, {@code 4d617269-6144-8000}: no server generates such a UUID. */
    private static final long MARK = 0x4d61_7269_6144_8000L;

    private static final Pattern GTID = Pattern.compile("\\s*(\\d{1,10})-(\\d{1,10})-(\\d{1,19})\\s*");
    private static final long MOST = 0xffff_ffffL;

    private MariadbGtids() {}

    /**
     * The source of a domain's transactions that a server wrote.
     *
     * @param domain 0..2^32-1
     * @param server 0..2^32-1
     */
    public static Sid sid(long domain, long server) {
        return new Sid(new UUID(MARK, domain << 32 | server));
    }

    /** Whether a source represents a domain and server of MariaDB. */
    public static boolean isOne(Sid sid) {
        return sid.uuid().getMostSignificantBits() == MARK && sid.tag().isEmpty();
    }

    /** The domain of a MariaDB source. */
    public static long domain(Sid sid) {
        return sid.uuid().getLeastSignificantBits() >>> 32;
    }

    /** The server id of a MariaDB source. */
    public static long server(Sid sid) {
        return sid.uuid().getLeastSignificantBits() & MOST;
    }

    /** Whether a text is {@code domain-server-sequence}. */
    static boolean isOne(String text) {
        Matcher gtid = GTID.matcher(text);
        return gtid.matches() && Long.parseLong(gtid.group(3)) > 0;
    }

    /** {@code domain-server-sequence}, for a MariaDB source. */
    static String text(Sid sid, long gno) {
        return domain(sid) + "-" + server(sid) + "-" + gno;
    }

    /**
     * All transactions up to each GTID of a list, as in {@code @@gtid_binlog_state} and {@code @@gtid_slave_pos}.
     *
     * @throws IllegalArgumentException with what was expected and found
     */
    public static GtidSet upTo(String list) {
        GtidSet.Builder set = new GtidSet.Builder();
        if (list.isBlank()) {
            return set.build();
        }
        for (String one : list.split(",", -1)) {
            Matcher gtid = GTID.matcher(one);
            if (!gtid.matches() || Long.parseLong(gtid.group(1)) > MOST || Long.parseLong(gtid.group(2)) > MOST) {
                throw new IllegalArgumentException(
                        "expected GTIDs of MariaDB, domain-server-sequence, found '" + one.strip() + "'");
            }
            long sequence = Long.parseLong(gtid.group(3));
            if (sequence > 0) {
                set.addRange(sid(Long.parseLong(gtid.group(1)), Long.parseLong(gtid.group(2))), 1, sequence);
            }
        }
        return set.build();
    }

    /** Reads MariaDB's list of GTIDs or MySQL's text of a set. */
    public static GtidSet parse(String text) {
        return text.contains(":") ? GtidSet.parse(text) : upTo(text);
    }

    /** The newest GTID of each domain, in the form of {@code @slave_connect_state}; "" if there is none. */
    public static String position(GtidSet set) {
        SortedMap<Long, Sid> newest = new TreeMap<>();
        for (Sid sid : set.sids()) {
            if (isOne(sid)) {
                newest.merge(domain(sid), sid, (a, b) -> set.last(a) >= set.last(b) ? a : b);
            }
        }
        StringBuilder text = new StringBuilder();
        newest.values().forEach(sid -> text.append(text.isEmpty() ? "" : ",").append(text(sid, set.last(sid))));
        return text.toString();
    }

    /** The part of a set whose domains have a smaller newest number in another set, whichever servers wrote them. */
    public static GtidSet missing(GtidSet set, GtidSet other) {
        GtidSet.Builder missing = new GtidSet.Builder();
        for (Sid sid : set.sids()) {
            long known = newest(other, domain(sid));
            if (set.last(sid) > known) {
                missing.addRange(sid, known + 1, set.last(sid));
            }
        }
        return missing.build();
    }

    /** The highest number in a domain, whichever server wrote it; 0 = none. */
    public static long newest(GtidSet set, long domain) {
        long newest = 0;
        for (Sid sid : set.sids()) {
            if (isOne(sid) && domain(sid) == domain) {
                newest = Math.max(newest, set.last(sid));
            }
        }
        return newest;
    }
}
