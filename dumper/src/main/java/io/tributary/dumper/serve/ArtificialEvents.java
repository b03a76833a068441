package io.tributary.dumper.serve;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.HeartbeatEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;

/** The events of a dump that stand in no file: the ROTATE that names a file, and heartbeats. One reader's. */
final class ArtificialEvents {
    private final EventSink sink;
    private final ReaderFormat format;
    private boolean begun;
    private final long serverId;
    private final Checksum checksum = new Checksum();

    ArtificialEvents(EventSink sink, ReaderFormat format, long serverId) {
        this.sink = sink;
        this.format = format;
        this.serverId = serverId;
    }

    /** Tells the reader in which file, and where in it, what follows stands. */
    void rotate(String file, long position) {
        ByteBuffer event = ByteBuffer.allocate(RotateEvent.length(file) + Checksum.LENGTH);
        int end = RotateEvent.write(event, 0, 0, serverId, EventFlags.LOG_EVENT_ARTIFICIAL_F, file, position);
        send(event, end);
    }

    /** Tells the reader that the source lives, and up to where it has sent. */
    void heartbeat(String file, long position) {
        ByteBuffer event;
        int end;
        if (format.heartbeatV2()) {
            event = ByteBuffer.allocate(HeartbeatEvent.lengthV2(file, position) + Checksum.LENGTH);
            end = HeartbeatEvent.writeV2(event, 0, serverId, file, position);
        } else {
            event = ByteBuffer.allocate(HeartbeatEvent.length(file) + Checksum.LENGTH);
            end = HeartbeatEvent.write(event, 0, serverId, file, position);
        }
        send(event, end);
    }

    /** The first event of a dump has a checksum where the reader asked for it; later ones as FORMAT_DESCRIPTION said: always. */
    private void send(ByteBuffer event, int end) {
        if (!begun && !format.checksumAtFirst()) {
            begun = true;
            sink.events(event, 0, end);
            return;
        }
        begun = true;
        EventHeader.setSize(event, 0, end + Checksum.LENGTH);
        checksum.append(event, 0);
        sink.events(event, 0, end + Checksum.LENGTH);
    }
}
