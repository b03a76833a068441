package io.tributary.extractor;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GcnEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.SequenceEvent;
import java.nio.ByteBuffer;

/**
 * The commit timestamps of a PolarDB-X data node on their way to their transaction (formats.md). They stand within it, or in front of its
 * GTID: then they wait for that. What is no commit's timestamp (a snapshot's, a sign of life, one that the server made for itself) is
 * passed over.
 */
final class PolarDbxTimestamps {
    private static final long NONE = 0;

    private final OpenTransaction open;
    private final boolean isWanted;
    private long waiting = NONE;

    /** @param isWanted whether the order needs them; else they are passed over, whatever they say */
    PolarDbxTimestamps(OpenTransaction open, boolean isWanted) {
        this.open = open;
        this.isWanted = isWanted;
    }

    /** A SEQUENCE or GCN event has come. */
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

    /** The transaction's GTID has come. */
    void gtidRead() {
        if (waiting != NONE) {
            open.commitTso(waiting);
            waiting = NONE;
        }
    }

    /** The stream begins anew, or goes on in another file. */
    void forget() {
        waiting = NONE;
    }

    /** Reads the timestamp that an XA COMMIT may carry among its status variables. */
    void readCommit(ByteBuffer view, int at) {
        long tso = QueryEvent.commitGcn(view, at);
        if (tso != NONE) {
            found(tso);
        }
    }
}
