package io.tributary.collector;

import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XidEvent;
import java.nio.ByteBuffer;

/**
 * Encodes output transactions as bytes (formats.md, "Output transaction in the file"): GTID, QUERY "BEGIN", payload, XID; for a DDL statement GTID
 * and its QUERY. For one thread.
 */
final class TransactionEncoder {
    private static final int CHECKSUM = 4;
    private static final long MICROS = 1_000_000;

    private final long serverId;
    private final int serverVersion;
    private EventOrigin lastOrigin;
    private final ContiguousBranchJoin views = new ContiguousBranchJoin();

    /**
     * @param serverId the global binlog's server_id
     * @param serverVersion in the form of GTID events, such as 80036
     */
    TransactionEncoder(long serverId, int serverVersion) {
        this.serverId = serverId;
        this.serverVersion = serverVersion;
        this.lastOrigin = new EventOrigin(0, serverId);
    }

    /** Bytes without checksums. */
    static long length(OutputTransaction transaction) {
        return headLength(transaction) + transaction.payloadBytes() + tailLength(transaction);
    }

    /** Bytes without checksums of a transaction with rows. */
    static long length(long payloadBytes) {
        return GtidEvent.LENGTH + QueryEvent.BEGIN_LENGTH + payloadBytes + XidEvent.LENGTH;
    }

    static long events(OutputTransaction transaction) {
        return transaction.payloadEvents() + (transaction.isDdl() ? 1 : 3);
    }

    static int headLength(OutputTransaction transaction) {
        return transaction.isDdl() ? GtidEvent.LENGTH : GtidEvent.LENGTH + QueryEvent.BEGIN_LENGTH;
    }

    static int tailLength(OutputTransaction transaction) {
        return transaction.isDdl() ? 0 : XidEvent.LENGTH;
    }

    /** Encodes a whole transaction and returns the offset after it. */
    int write(OutputTransaction transaction, ByteBuffer to, int at) {
        if (!views.open(transaction)) {
            return writePieces(transaction, to, at);
        }
        long timestamp = views.timestamp(transaction.commitMicros() / MICROS);
        int end = views.copy(to, writeHead(transaction, timestamp, to, at));
        views.close();
        return writeTail(transaction, timestamp, to, end);
    }

    private int writePieces(OutputTransaction transaction, ByteBuffer to, int at) {
        long timestamp = timestamp(transaction);
        int body = writeHead(transaction, timestamp, to, at);
        try (BranchJoin join = new BranchJoin(transaction)) {
            int end = join.copy(to, body, body + (int) transaction.payloadBytes());
            return writeTail(transaction, timestamp, to, end);
        }
    }

    /** Writes the events before the payload and returns the offset after them. */
    int writeHead(OutputTransaction transaction, long timestamp, ByteBuffer to, int at) {
        long micros = transaction.commitMicros() == 0 ? timestamp * MICROS : transaction.commitMicros();
        EventOrigin origin = origin(timestamp);
        GtidEvent.write(to, at, origin, micros, serverVersion);
        GtidEvent.setGno(to, at, transaction.number());
        GtidEvent.setLogicalClock(to, at, transaction.lastCommitted(), transaction.number());
        GtidEvent.setTransactionLength(to, at, length(transaction) + CHECKSUM * events(transaction));
        if (transaction.isDdl()) {
            GtidEvent.setFlags(to, at, GtidEvent.FLAG_MAY_HAVE_SBR);
        } else {
            QueryEvent.writeBegin(to, at + GtidEvent.LENGTH, origin, 0);
        }
        return at + headLength(transaction);
    }

    /** Writes the events after the payload and returns the offset after them. */
    int writeTail(OutputTransaction transaction, long timestamp, ByteBuffer to, int at) {
        if (!transaction.isDdl()) {
            XidEvent.write(to, at, origin(timestamp), transaction.number());
        }
        return at + tailLength(transaction);
    }

    /** The last origin is used again within its second, so that a transaction allocates nothing. */
    private EventOrigin origin(long timestamp) {
        if (lastOrigin.timestamp() != timestamp) {
            lastOrigin = new EventOrigin(timestamp, serverId);
        }
        return lastOrigin;
    }

    /** The time of its first event, seconds since 1970. */
    static long timestamp(OutputTransaction transaction) {
        for (int branch = 0; branch < transaction.branches(); branch++) {
            Payload payload = transaction.payload(branch);
            ByteBuffer view = payload.contiguousView();
            if (view != null && view.remaining() >= EventHeader.LENGTH) {
                return EventHeader.timestamp(view, view.position());
            }
            if (payload.length() > 0) {
                try (Payload.Cursor cursor = payload.open()) {
                    ByteBuffer first = cursor.next();
                    return EventHeader.timestamp(first, first.position());
                }
            }
        }
        return transaction.commitMicros() / MICROS;
    }
}
