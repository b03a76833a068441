package io.tributary.binlog.file;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.PreviousGtidsEvent;
import io.tributary.mysql.event.RotateEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The head of every file (magic, FORMAT_DESCRIPTION, PREVIOUS_GTIDS, a full cut) and the ROTATE event at its end. */
public final class FileHead {
    private FileHead() {}

    /**
     * The head of a new file.
     *
     * @param origin of its events
     */
    public static ByteBuffer bytes(EventOrigin origin, String serverVersion, GtidSet previousGtids, Cut cut) {
        byte[] cutBytes = CutCodec.encodeFull(cut);
        int length = EventHeader.FILE_MAGIC_LENGTH
                + FormatDescriptionEvent.LENGTH
                + Checksum.LENGTH
                + PreviousGtidsEvent.length(previousGtids)
                + Checksum.LENGTH
                + CutEvent.length(cutBytes);
        ByteBuffer buf = ByteBuffer.allocate(length);
        LittleEndian.putInt(buf, 0, EventHeader.FILE_MAGIC);
        int at = EventHeader.FILE_MAGIC_LENGTH;
        FormatDescriptionEvent.write(buf, at, origin, serverVersion, Checksum.CRC32);
        EventHeader.setSize(buf, at, FormatDescriptionEvent.LENGTH);
        at = finish(buf, at, at);
        PreviousGtidsEvent.write(buf, at, origin, previousGtids);
        at = finish(buf, at, at);
        CutEvent.write(buf, at, origin, at, cutBytes);
        return buf;
    }

    /** The server version in a file's FORMAT_DESCRIPTION event; empty when that event is missing or incomplete. */
    static Optional<String> version(Path file) throws IOException {
        ByteBuffer buf = ByteBuffer.allocate(EventHeader.FILE_MAGIC_LENGTH + FormatDescriptionEvent.LENGTH);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (buf.hasRemaining() && channel.read(buf) >= 0) {}
        }
        int at = EventHeader.FILE_MAGIC_LENGTH;
        if (buf.hasRemaining() || EventHeader.type(buf, at) != EventType.FORMAT_DESCRIPTION_EVENT) {
            return Optional.empty();
        }
        String version = FormatDescriptionEvent.serverVersion(buf, at);
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /**
     * The last event of a file.
     *
     * @param offset where it will be in the file
     */
    public static ByteBuffer rotate(EventOrigin origin, String nextFile, long offset) {
        ByteBuffer buf = ByteBuffer.allocate(RotateEvent.length(nextFile) + Checksum.LENGTH);
        RotateEvent.write(buf, 0, origin, nextFile, EventHeader.FILE_MAGIC_LENGTH);
        finish(buf, 0, offset);
        return buf;
    }

    /** Adds log_pos and the checksum to an event that has none; returns the position after the event. */
    static int finish(ByteBuffer buf, int at, long offset) {
        int size = EventHeader.size(buf, at) + Checksum.LENGTH;
        EventHeader.setSize(buf, at, size);
        EventHeader.setLogPos(buf, at, offset + size);
        new Checksum().append(buf, at);
        return at + size;
    }
}
