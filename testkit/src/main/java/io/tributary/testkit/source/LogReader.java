package io.tributary.testkit.source;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;

/** The dump of a {@link PolarDbxLog} to one reader. Runs on the event loop of its session. */
final class LogReader {
    private static final int ROTATE_BYTES = 256;

    private final PolarDbxLog log;
    private final EventSink sink;
    private final GtidSet known;
    private final Sid sid;
    private final boolean stays;
    private long sent;
    private boolean ended;

    /**
     * @param known the transactions that the reader has; there may be gaps
     * @param stays whether it waits for more events at the end
     */
    LogReader(PolarDbxLog log, EventSink sink, GtidSet known, boolean stays) {
        this.log = log;
        this.sink = sink;
        this.known = known;
        this.sid = new Sid(log.uuid());
        this.stays = stays;
    }

    void begin() {
        sink.onRoom(this::pump);
        ByteBuffer rotate = ByteBuffer.allocate(ROTATE_BYTES);
        int end = RotateEvent.writeArtificial(rotate, 0, log.serverId(), log.fileName(), EventHeader.FILE_MAGIC_LENGTH)
                + Checksum.LENGTH;
        EventHeader.setSize(rotate, 0, end);
        new Checksum().append(rotate, 0);
        sink.events(rotate, 0, end);
        sink.events(ByteBuffer.wrap(log.bytes()), EventHeader.FILE_MAGIC_LENGTH, log.firstAt());
        pump();
    }

    boolean isOpen() {
        return sink.isOpen();
    }

    /** Sends the available events while the reader can accept more. */
    void pump() {
        if (ended || !sink.hasRoom()) {
            return;
        }
        long newest = log.newestNumber();
        while (sent < newest) {
            long first = sent;
            boolean isKnown = known.contains(sid, first + 1);
            while (sent < newest && known.contains(sid, sent + 1) == isKnown) {
                sent++;
            }
            if (!isKnown) {
                byte[] bytes = log.transactions(first, sent);
                sink.events(ByteBuffer.wrap(bytes), 0, bytes.length);
            }
        }
        if (!stays) {
            ended = true;
            sink.finish();
        }
    }
}
