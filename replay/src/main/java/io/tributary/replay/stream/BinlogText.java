package io.tributary.replay.stream;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.FormatDescriptionEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The text of BINLOG statements: events in base64 (manual page "BINLOG Statement"). */
public final class BinlogText {
    /** Room for the words around the events in a packet. */
    private static final int WORDS = 1024;

    private static final byte[] BEGIN = "BINLOG '".getBytes(StandardCharsets.US_ASCII);

    /** Events of version 8.0: their post-headers are those that the stream has. */
    private static final String VERSION = "8.0.31";

    private BinlogText() {}

    /** Appends a statement with these events. */
    public static void append(ByteBuf out, byte[] events) {
        out.writeBytes(BEGIN).writeBytes(Base64.getEncoder().encode(events)).writeByte('\'');
    }

    /** Bytes of the statement that {@link #append} appends, or a little more. */
    public static int length(int events) {
        return BEGIN.length + 1 + (events + 2) / 3 * 4;
    }

    /** The largest events that a packet can have. */
    static long eventsIn(long maxAllowedPacket) {
        return Math.max(0, (maxAllowedPacket - WORDS) / 4 * 3);
    }

    /** The smallest packet for these bytes of events. */
    static long packetFor(long events) {
        return (events + 2) / 3 * 4 + WORDS;
    }

    /** The event that comes first in a session: the events after it have no checksums. */
    public static byte[] formatDescription() {
        byte[] event = new byte[FormatDescriptionEvent.LENGTH + Checksum.LENGTH];
        ByteBuffer buf = ByteBuffer.wrap(event);
        FormatDescriptionEvent.write(buf, 0, new EventOrigin(0, 1), VERSION, Checksum.NONE);
        new Checksum().append(buf, 0);
        return event;
    }
}
