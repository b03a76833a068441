package io.tributary.testkit.source;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;

/** One reader's way through a {@link PolarDbxLog}. On the event loop of its session. */
final class LogReader {
    private static final int ROTATE_BYTES = 256;

    private final PolarDbxLog log;
    private final EventSink sink;
    private final boolean stays;
    private int at;
    private boolean ended;

    /**
     * @param known the transactions that it has: 1 to this
     * @param stays whether it waits for more at the end
     */
    LogReader(PolarDbxLog log, EventSink sink, long known, boolean stays) {
        this.log = log;
        this.sink = sink;
        this.stays = stays;
        this.at = log.startBehind(known);
    }

    void begin() {
        sink.onRoom(this::pump);
        ByteBuffer rotate = ByteBuffer.allocate(ROTATE_BYTES);
        int end = RotateEvent.write(
                        rotate,
                        0,
                        0,
                        log.serverId(),
                        EventFlags.LOG_EVENT_ARTIFICIAL_F,
                        log.fileName(),
                        EventHeader.FILE_MAGIC_LENGTH)
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

    /** Sends what there is, where the reader takes more. */
    void pump() {
        if (ended || !sink.hasRoom()) {
            return;
        }
        byte[] bytes = log.bytes();
        if (at < bytes.length) {
            sink.events(ByteBuffer.wrap(bytes), at, bytes.length);
            at = bytes.length;
        }
        if (!stays) {
            ended = true;
            sink.finish();
        }
    }
}
