package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.event.mariadb.CompressedEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The parts of a shard's stream that are specific to MariaDB: sequence numbers that only grow in each domain, and compressed events. */
final class MariadbStream implements AutoCloseable {
    private final boolean isTsoOrder;
    private final int keptBytes;
    private CompressedEvent compressed;
    private GtidSet before;
    private long[] domains = new long[0];
    private long[] newest = new long[0];

    /** @param sent all transactions that are not read again */
    MariadbStream(boolean isTsoOrder, GtidSet sent, int keptBytes) {
        this.isTsoOrder = isTsoOrder;
        this.before = sent;
        this.keptBytes = keptBytes;
    }

    /** Begins a stream after these transactions. */
    void streamBegins(GtidSet sent) {
        before = sent;
        domains = new long[0];
        newest = new long[0];
    }

    /**
     * Checks the next GTID of the shard's log.
     *
     * @throws TributaryException SHARD_UNFIT if a position with one GTID per domain does not determine the transactions after it
     */
    void requireNext(Sid sid, long gno) {
        if (isTsoOrder) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "expected a shard of MySQL or PolarDB-X in order.mode = tso, found MariaDB: set order.mode = xa");
        }
        int domain = domain(MariadbGtids.domain(sid));
        if (gno <= newest[domain]) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "expected a sequence number above " + newest[domain] + " in domain " + domains[domain] + ", found "
                            + Gtid.text(sid, gno) + ": servers that write at the same time need different values of"
                            + " gtid_domain_id; SET GLOBAL gtid_strict_mode = ON enforces the order, and the stream must"
                            + " begin after it");
        }
        newest[domain] = gno;
    }

    private int domain(long id) {
        for (int i = 0; i < domains.length; i++) {
            if (domains[i] == id) {
                return i;
            }
        }
        int last = domains.length;
        domains = Arrays.copyOf(domains, last + 1);
        newest = Arrays.copyOf(newest, last + 1);
        domains[last] = id;
        newest[last] = MariadbGtids.newest(before, id);
        return last;
    }

    /** The uncompressed event, as {@link CompressedEvent#unpack} returns it. */
    ByteBuffer unpack(ByteBuffer view, int at, int end, long limit) {
        if (compressed == null) {
            compressed = new CompressedEvent(keptBytes);
        }
        return compressed.unpack(view, at, end, limit);
    }

    @Override
    public void close() {
        if (compressed != null) {
            compressed.close();
        }
    }
}
