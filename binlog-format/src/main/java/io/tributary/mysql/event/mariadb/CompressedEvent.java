package io.tributary.mysql.event.mariadb;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses MariaDB's compressed events (log_bin_compress): QUERY (165), rows of version 1 (166..168) and 2 (169..171). They are equal to
 * the plain events up to the statement, or up to the rows; then follow a byte 0x80 plus the number of bytes of the length, the length in
 * big-endian order, and a zlib stream (MariaDB manual, "QUERY_COMPRESSED_EVENT"; binlog_buf_compress in sql/log_event.cc). For one
 * thread; closed by its owner.
 */
public final class CompressedEvent implements AutoCloseable {
    private static final int MARK = 0x80;
    private static final int MARK_BITS = 0xf8;
    private static final int LENGTH_BITS = 0x07;
    private static final int MOST_LENGTH_BYTES = 4;
    private static final int FIRST_ROWS = EventType.WRITE_ROWS_COMPRESSED_EVENT_V1;
    private static final int FIRST_ROWS_V2 = EventType.WRITE_ROWS_COMPRESSED_EVENT;

    private final Inflater inflater = new Inflater();
    private final int keptBytes;
    private ByteBuffer event;

    /** @param keptBytes off-heap memory to keep, for example 256 KiB; only a larger event uses more */
    public CompressedEvent(int keptBytes) {
        this.keptBytes = keptBytes;
        this.event = ByteBuffer.allocateDirect(keptBytes);
    }

    /**
     * The plain event, without checksum.
     *
     * @param end offset after the event without its checksum
     * @param limit maximum bytes of the plain event
     * @return from 0 to its limit; valid until the next call
     * @throws TributaryException {@code PAYLOAD_TOO_LARGE} above the limit, {@code EVENT_MALFORMED} if it is not a valid compressed event
     */
    public ByteBuffer unpack(ByteBuffer view, int at, int end, long limit) {
        int type = plainType(EventHeader.type(view, at));
        int from = packedAt(view, at, end, type);
        Malformed.room(view, at, end, from, 1, "compressed part");
        int mark = LittleEndian.getU8(view, from);
        int bytes = mark & LENGTH_BITS;
        if ((mark & MARK_BITS) != MARK || bytes < 1 || bytes > MOST_LENGTH_BYTES) {
            throw Malformed.event(view, at, "a part compressed by zlib, 0x81..0x84", "0x" + Integer.toHexString(mark));
        }
        Malformed.room(view, at, end, from + 1, bytes, "length of the compressed part");
        long length = 0;
        for (int i = 1; i <= bytes; i++) {
            length = length << 8 | LittleEndian.getU8(view, from + i);
        }
        int head = from - at;
        long size = head + length;
        if (size > Math.min(limit, Integer.MAX_VALUE)) {
            throw new TributaryException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    Malformed.name(view, at) + ": expected at most " + limit + " bytes before compression, found "
                            + size);
        }
        make((int) size).put(0, view, at, head);
        inflate(view, at, from + 1 + bytes, end, head);
        EventHeader.setType(event, 0, type);
        EventHeader.setSize(event, 0, (int) size);
        return event;
    }

    private void inflate(ByteBuffer view, int at, int from, int end, int head) {
        inflater.reset();
        inflater.setInput(view.duplicate().clear().limit(end).position(from));
        ByteBuffer target = event.duplicate().position(head);
        try {
            while (target.hasRemaining() && inflater.inflate(target) > 0) {}
            boolean isWhole = !target.hasRemaining()
                    && inflater.inflate(new byte[1]) == 0
                    && inflater.finished()
                    && inflater.getRemaining() == 0;
            if (!isWhole) {
                throw Malformed.event(
                        view,
                        at,
                        target.limit() - head + " bytes in a zlib stream up to the event's end",
                        target.position() - head + " or a stream that is longer or shorter");
            }
        } catch (DataFormatException e) {
            throw Malformed.event(view, at, "a zlib stream", String.valueOf(e.getMessage()));
        }
    }

    private ByteBuffer make(int size) {
        if (size > event.capacity() || event.capacity() > keptBytes && size <= keptBytes) {
            event = ByteBuffer.allocateDirect(Math.max(size, keptBytes));
        }
        return event.clear().limit(size);
    }

    private static int plainType(int type) {
        if (type == EventType.QUERY_COMPRESSED_EVENT) {
            return EventType.QUERY_EVENT;
        }
        return type < FIRST_ROWS_V2
                ? EventType.WRITE_ROWS_EVENT_V1 + type - FIRST_ROWS
                : EventType.WRITE_ROWS_EVENT + type - FIRST_ROWS_V2;
    }

    /** Offset at which the compressed part begins; checks the part before it. */
    private static int packedAt(ByteBuffer view, int at, int end, int type) {
        if (type == EventType.QUERY_EVENT) {
            QueryEvent.check(view, at, end);
            return QueryEvent.textAt(view, at);
        }
        RowsEvent.check(view, at, end);
        return RowsEvent.rowsAt(view, at);
    }

    @Override
    public void close() {
        inflater.end();
    }
}
