package io.tributary.mysql.protocol.server;

import static io.tributary.mysql.protocol.PacketDecoder.MAX_PACKET_PAYLOAD;
import static io.tributary.mysql.protocol.PacketDecoder.PACKET_HEADER;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Frames binlog events as packets of a dump: 3 bytes of length, the sequence id, a zero byte (OK), the event. For a semi-sync
 * reader two bytes precede each event: 0xef, and 1 if it must be acknowledged, otherwise 0; after an acknowledged one
 * the ids begin again at 1, because both sides count the acknowledgement as a command (MySQL: plugin/semisync/semisync_source.cc).
 */
final class EventFrames {
    private static final int EVENT_HEADER = 19;
    private static final int LENGTH_AT = 9;
    private static final int OK_LENGTH = 1;
    private static final int SEMI_SYNC_LENGTH = 2;
    private static final int FIRST_ID = 1;

    private final ByteBufAllocator allocator;
    private final int prefix;
    private int nextId = FIRST_ID; // the command had the id 0
    private long eventLeft;
    private int packetLeft;
    private boolean packetMustFollow;

    /** @param semiSync whether each event has the two bytes of semi-sync replication before it */
    EventFrames(ByteBufAllocator allocator, boolean semiSync) {
        this.allocator = allocator;
        prefix = semiSync ? OK_LENGTH + SEMI_SYNC_LENGTH : OK_LENGTH;
    }

    int nextId() {
        return nextId;
    }

    /**
     * Frames whole events.
     *
     * @param acknowledged whether a semi-sync reader has to acknowledge the last one
     */
    ByteBuf frame(ByteBuffer view, int at, int end, boolean acknowledged) {
        return frame(view, at, end, acknowledged, null);
    }

    /**
     * Frames whole events, or reuses the frames of another reader.
     *
     * @param content identifies the content of the buffer
     */
    ByteBuf frame(ByteBuffer view, int at, int end, SharedFrames shared, long content) {
        if (prefix != OK_LENGTH) {
            return frame(view, at, end, false, null);
        }
        requireWhole();
        if (shared.holds(content, at, end)) {
            ByteBuf framed = shared.withIds(allocator, nextId);
            nextId = nextId + shared.count() & 0xff;
            return framed;
        }
        shared.begin(content, at, end, nextId);
        ByteBuf framed = frame(view, at, end, false, shared);
        shared.keep(framed);
        return framed;
    }

    private ByteBuf frame(ByteBuffer view, int at, int end, boolean acknowledged, SharedFrames shared) {
        requireWhole();
        int size = framedSize(view, at, end);
        ByteBuf framed = allocator.directBuffer(size, size);
        ByteBuffer out = framed.nioBuffer(0, size);
        int to = 0;
        int from = at;
        while (from < end) {
            int length = LittleEndian.getInt(view, from + LENGTH_AT);
            if (length + prefix < MAX_PACKET_PAYLOAD) {
                if (shared != null) {
                    shared.packet(to);
                }
                LittleEndian.putInt(out, to, length + prefix | nextId << 24);
                nextId = nextId + 1 & 0xff;
                int event = prefix(out, to + PACKET_HEADER, acknowledged && from + length == end);
                out.put(event, view, from, length);
                to = event + length;
            } else {
                to = large(out, to, view, from, acknowledged && from + length == end);
            }
            from += length;
        }
        if (acknowledged && prefix > OK_LENGTH) {
            nextId = FIRST_ID;
        }
        return framed.writerIndex(size);
    }

    private int prefix(ByteBuffer out, int at, boolean acknowledged) {
        out.put(at, (byte) 0);
        if (prefix > OK_LENGTH) {
            out.put(at + OK_LENGTH, (byte) SemiSyncAck.MAGIC).put(at + OK_LENGTH + 1, (byte) (acknowledged ? 1 : 0));
        }
        return at + prefix;
    }

    private int framedSize(ByteBuffer view, int at, int end) {
        long size = 0;
        int from = at;
        while (from < end) {
            int length = end - from < EVENT_HEADER ? 0 : LittleEndian.getInt(view, from + LENGTH_AT);
            if (length < EVENT_HEADER || length > end - from) {
                throw new TributaryException(
                        ErrorCode.BINLOG_CORRUPT,
                        "expected whole events in " + (end - at) + " bytes, found one of " + length + " bytes with "
                                + (end - from) + " left");
            }
            int packets = (length + prefix) / MAX_PACKET_PAYLOAD + 1;
            size += length + prefix + (long) packets * PACKET_HEADER;
            from += length;
        }
        return Math.toIntExact(size);
    }

    /** Frames one event of 16 MiB - 2 bytes or more. */
    private int large(ByteBuffer out, int at, ByteBuffer view, int from, boolean acknowledged) {
        int to = at;
        int packetStart = at;
        int left = LittleEndian.getInt(view, from + LENGTH_AT) + prefix;
        int next = from;
        boolean first = true;
        while (true) {
            int payload = Math.min(MAX_PACKET_PAYLOAD, left);
            LittleEndian.putInt(out, packetStart, payload | nextId << 24);
            nextId = nextId + 1 & 0xff;
            to = packetStart + PACKET_HEADER;
            int bytes = payload;
            if (first) {
                to = prefix(out, to, acknowledged);
                bytes -= prefix;
            }
            out.put(to, view, next, bytes);
            first = false;
            next += bytes;
            packetStart = to + bytes;
            left -= payload;
            if (payload < MAX_PACKET_PAYLOAD) {
                return packetStart;
            }
        }
    }

    /** Begins an event whose bytes arrive in parts. */
    ByteBuf begin(long length) {
        requireWhole();
        if (length < EVENT_HEADER || length > 0xffffffffL) {
            throw new IllegalArgumentException("expected an event of 19 to 2^32-1 bytes, found " + length);
        }
        eventLeft = length + prefix;
        ByteBuf out = allocator.directBuffer(PACKET_HEADER + prefix);
        nextPacket(out);
        out.writeByte(0);
        if (prefix > OK_LENGTH) {
            out.writeByte(SemiSyncAck.MAGIC).writeByte(0);
        }
        eventLeft -= prefix;
        packetLeft -= prefix;
        return out;
    }

    /** Frames the next bytes of the event that was begun. */
    ByteBuf part(ByteBuffer view, int at, int length) {
        if (length > eventLeft) {
            throw new IllegalStateException("expected at most " + eventLeft + " more bytes, found " + length);
        }
        ByteBuf out = allocator.directBuffer(length + (length / MAX_PACKET_PAYLOAD + 2) * PACKET_HEADER);
        ByteBuffer source = view.duplicate();
        int from = at;
        int left = length;
        while (left > 0) {
            if (packetLeft == 0) {
                nextPacket(out);
            }
            int bytes = Math.min(left, packetLeft);
            out.writeBytes(source.limit(from + bytes).position(from));
            from += bytes;
            left -= bytes;
            packetLeft -= bytes;
            eventLeft -= bytes;
        }
        if (eventLeft == 0 && packetMustFollow) {
            nextPacket(out);
        }
        return out;
    }

    private void nextPacket(ByteBuf out) {
        packetLeft = (int) Math.min(MAX_PACKET_PAYLOAD, eventLeft);
        packetMustFollow = packetLeft == MAX_PACKET_PAYLOAD;
        out.writeMediumLE(packetLeft).writeByte(nextId);
        nextId = nextId + 1 & 0xff;
    }

    private void requireWhole() {
        if (eventLeft != 0) {
            throw new IllegalStateException("expected " + eventLeft + " more bytes of the event that was begun");
        }
    }
}
