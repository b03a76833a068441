package io.tributary.serve.dump;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.HeartbeatEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;

/** The events of a reader's dump that are in no file: the ROTATE event that names a file, and heartbeats. */
final class ArtificialEvents {
    private final EventSink sink;
    private final ReaderFormat format;
    private boolean hasSent;
    private final long serverId;
    private final Checksum checksum = new Checksum();

    ArtificialEvents(EventSink sink, ReaderFormat format, long serverId) {
        this.sink = sink;
        this.format = format;
        this.serverId = serverId;
    }

    /** Sends the file and the position of the events that follow. */
    void rotate(String file, long position) {
        ByteBuffer event = ByteBuffer.allocate(RotateEvent.length(file) + Checksum.LENGTH);
        int end = RotateEvent.writeArtificial(event, 0, serverId, file, position);
        send(event, end);
    }

    /** Sends a sign of life with the position up to which events were sent. */
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

    /** Sends an event. The first one of a dump has a checksum if the reader asked for it; later ones always, as FORMAT_DESCRIPTION specifies. */
    private void send(ByteBuffer event, int end) {
        if (!hasSent && !format.checksumAtFirst()) {
            hasSent = true;
            sink.events(event, 0, end);
            return;
        }
        hasSent = true;
        EventHeader.setSize(event, 0, end + Checksum.LENGTH);
        checksum.append(event, 0);
        sink.events(event, 0, end + Checksum.LENGTH);
    }
}
