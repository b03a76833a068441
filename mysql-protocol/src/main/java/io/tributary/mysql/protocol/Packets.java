package io.tributary.mysql.protocol;

import static io.tributary.mysql.protocol.PacketDecoder.MAX_PACKET_PAYLOAD;
import static io.tributary.mysql.protocol.PacketDecoder.PACKET_HEADER;

import io.netty.buffer.ByteBuf;

/** Puts packet headers before payloads in an outgoing buffer, and splits payloads of 16 MiB - 1 and more. */
public final class Packets {
    private Packets() {}

    /** Reserves space for a packet's header in {@code out}; returns its offset, for {@link #end}. */
    public static int begin(ByteBuf out) {
        int at = out.writerIndex();
        out.writeZero(PACKET_HEADER);
        return at;
    }

    /** Ends the payload that was written since {@link #begin} returned {@code at}: writes the header, and splits the payload if it is large. */
    public static void end(ByteBuf out, int at, PacketSequence sequence) {
        int length = out.writerIndex() - at - PACKET_HEADER;
        if (length < MAX_PACKET_PAYLOAD) {
            header(out, at, length, sequence.sent());
            return;
        }
        split(out, at, length, sequence);
    }

    private static void split(ByteBuf out, int at, int length, PacketSequence sequence) {
        int packets = length / MAX_PACKET_PAYLOAD + 1;
        out.writeZero((packets - 1) * PACKET_HEADER);
        // from the last packet to the first, so that no bytes are overwritten before they are moved
        for (int i = packets - 1; i > 0; i--) {
            int from = at + PACKET_HEADER + i * MAX_PACKET_PAYLOAD;
            int size = Math.min(MAX_PACKET_PAYLOAD, length - i * MAX_PACKET_PAYLOAD);
            ByteBuf moved = out.copy(from, size);
            out.setBytes(from + i * PACKET_HEADER, moved);
            moved.release();
        }
        for (int i = 0; i < packets; i++) {
            int size = Math.min(MAX_PACKET_PAYLOAD, length - i * MAX_PACKET_PAYLOAD);
            header(out, at + i * (MAX_PACKET_PAYLOAD + PACKET_HEADER), size, sequence.sent());
        }
    }

    private static void header(ByteBuf out, int at, int length, int id) {
        out.setMediumLE(at, length);
        out.setByte(at + 3, id);
    }
}
