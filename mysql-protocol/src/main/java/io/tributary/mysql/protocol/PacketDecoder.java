package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Splits the received bytes into payloads: 3 bytes of length, 1 byte of sequence id, payload (manual page "MySQL Packets").
 * A payload of 16 MiB - 1 or more arrives in several packets and is passed on joined, as one {@link ByteBuf} that the next
 * handler owns. It is not used for a dump's events: see {@code client.BinlogStream}.
 */
public final class PacketDecoder extends ByteToMessageDecoder {
    /** Largest payload of one packet; a packet of this length is followed by another one of the same payload. */
    public static final int MAX_PACKET_PAYLOAD = 0xffffff;

    /** Bytes before each packet's payload. */
    public static final int PACKET_HEADER = 4;

    private PacketSequence sequence;
    private long limit;
    private PacketRoom room = (command, bytes, more) -> Optional.empty();
    private LongPredicate admission = bytes -> true;
    private int length = -1;
    private boolean admitted;
    private boolean accepted;
    private boolean broken;
    private CompositeByteBuf joined;
    private ErrPacket refusal; // of the packet that is being dropped
    private int toDrop; // bytes of the last packet that are still to be dropped
    private long dropped; // dropped bytes, including those of the packets that it continues

    /**
     * @param limit maximum payload in bytes until {@link #commands} is called; a longer one fails the connection before it is
     *     buffered
     * @param sequence the connection's sequence ids
     */
    public PacketDecoder(int limit, PacketSequence sequence) {
        this.limit = limit;
        this.sequence = sequence;
    }

    /**
     * Called when a server's login is over: from now on the client sends commands, whose sequence ids are counted separately from those of
     * the answers. A packet for which there is no room is read and dropped, and a {@link RefusedPacket} is passed on instead. On the event loop only.
     */
    public void commands(PacketRoom of) {
        limit = Long.MAX_VALUE;
        room = of;
        sequence = new PacketSequence(true);
    }

    /** Sets the maximum payload in bytes. On the event loop only. */
    public void limit(long bytes) {
        limit = bytes;
    }

    /**
     * Sets who decides when a packet is received. It is asked once for each packet, before it is buffered, and again by {@link #retry} after it has
     * returned false: until it returns true, neither this packet nor a later one is decoded. The caller stops to read the socket meanwhile. On
     * the event loop only.
     *
     * @param of gets the length of the packet in bytes
     */
    public void admit(LongPredicate of) {
        admission = of;
    }

    /** Asks again whether a packet that waits may be received, and decodes what has arrived. On the event loop only, not while it decodes. */
    public void retry(ChannelHandlerContext ctx) throws Exception {
        channelRead(ctx, Unpooled.EMPTY_BUFFER);
    }

    /** As long as a packet waits, nothing more is read: the superclass would read on for a packet that is not complete, also after a stop. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        if (length >= 0 && !admitted) {
            ctx.fireChannelReadComplete();
        } else {
            super.channelReadComplete(ctx);
        }
    }

    /** Until {@link #commands} is called again, packets of up to {@code bytes} bytes arrive within the answer to a command. */
    public void conversation(int bytes, PacketSequence answers) {
        limit = bytes;
        room = (command, length, more) -> Optional.empty();
        sequence = answers;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (broken) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (length < 0) {
            if (in.readableBytes() < PACKET_HEADER) {
                return;
            }
            header(in);
        }
        admitted = admitted || admission.test(length);
        if (!admitted || !accepted && !accept(in)) {
            return;
        }
        if (refusal != null) {
            drop(in, out);
        } else if (in.readableBytes() >= length) {
            take(ctx, in, out);
        }
    }

    /** Accepts or refuses the packet; returns false if its first byte, which is the command, has not arrived yet. */
    private boolean accept(ByteBuf in) {
        if (refusal == null) {
            boolean isFirst = joined == null;
            if (isFirst && length > 0 && !in.isReadable()) {
                return false;
            }
            int command = isFirst ? length == 0 ? -1 : in.getUnsignedByte(in.readerIndex()) : joined.getUnsignedByte(0);
            long before = isFirst ? 0 : joined.readableBytes();
            broken = true; // if the next call fails
            refusal = room.accept(command, before + length, length).orElse(null);
            broken = false;
            if (refusal != null && joined != null) {
                dropped = joined.readableBytes();
                joined.release();
                joined = null;
            }
        }
        accepted = true;
        toDrop = length;
        dropped += refusal == null ? 0 : length;
        return true;
    }

    private void drop(ByteBuf in, List<Object> out) {
        int now = Math.min(toDrop, in.readableBytes());
        in.skipBytes(now);
        toDrop -= now;
        if (toDrop == 0) {
            boolean last = length < MAX_PACKET_PAYLOAD;
            length = -1;
            if (last) {
                out.add(new RefusedPacket(dropped, refusal));
                refusal = null;
                dropped = 0;
            }
        }
    }

    private void take(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        ByteBuf payload = in.readRetainedSlice(length);
        boolean last = length < MAX_PACKET_PAYLOAD;
        length = -1;
        if (joined == null && last) {
            out.add(payload);
            return;
        }
        if (joined == null) {
            joined = ctx.alloc().compositeBuffer(Integer.MAX_VALUE);
        }
        joined.addComponent(true, payload);
        if (last) {
            out.add(joined);
            joined = null;
        }
    }

    private void header(ByteBuf in) {
        length = in.readUnsignedMediumLE();
        int id = in.readUnsignedByte();
        admitted = false;
        accepted = false;
        long whole = (long) length + (joined == null ? 0 : joined.readableBytes());
        broken = true; // unless both checks pass
        sequence.received(id);
        if (whole > limit) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED,
                    "expected a packet of at most " + limit + " bytes, found one of " + whole);
        }
        broken = false;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        if (joined != null) {
            joined.release();
            joined = null;
        }
    }
}
