package io.tributary.extractor.stream;

import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import java.nio.ByteBuffer;

/**
 * The reader of the commit timestamps of a PolarDB-X data node (formats.md). A timestamp is in its transaction, or before the transaction's
 * GTID: then it is kept until the GTID is read. Other timestamps (of a snapshot, of a heartbeat, or one that the server made for itself) are
 * ignored.
 */
final class PolarDbxTimestamps {
    private static final long NONE = 0;

    private final TransactionState open;
    private final boolean isWanted;
    private long waiting = NONE;

    /** @param isWanted whether the order needs timestamps; if not, all are ignored */
    PolarDbxTimestamps(TransactionState open, boolean isWanted) {
        this.open = open;
        this.isWanted = isWanted;
    }

    /** Reads a SEQUENCE or GCN event. */
    void read(ByteBuffer view, int at, int end) {
        if (EventHeader.type(view, at) == EventType.SEQUENCE_EVENT) {
            SequenceEvent.check(view, at, end);
            if (SequenceEvent.isCommit(view, at)) {
                found(SequenceEvent.value(view, at));
            }
        } else {
            GcnEvent.check(view, at, end);
            if (GcnEvent.isCommit(view, at)) {
                found(GcnEvent.value(view, at));
            }
        }
    }

    private void found(long tso) {
        if (!isWanted) {
            return;
        }
        if (open.isOpen()) {
            open.commitTso(tso);
        } else {
            waiting = tso;
        }
    }

    /** Passes a kept timestamp to the transaction, whose GTID was read. */
    void gtidRead() {
        if (waiting != NONE) {
            open.commitTso(waiting);
            waiting = NONE;
        }
    }

    /** Discards a kept timestamp: the stream begins again, or continues in another file. */
    void forget() {
        waiting = NONE;
    }

    /** Reads the timestamp that may be among the status variables of an XA COMMIT. */
    void readCommit(ByteBuffer view, int at) {
        long tso = QueryEvent.commitGcn(view, at);
        if (tso != NONE) {
            found(tso);
        }
    }
}
