package io.tributary.mysql.protocol.compress;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.nio.ByteBuffer;

/**
 * The compression of one connection, between the socket (or TLS) and the packets: 3 bytes of length, 1 byte of sequence id, 3 bytes of
 * uncompressed length, or 0 for bytes that are not compressed. Received packets are decompressed in pieces of up to 64 KiB, and only while the
 * connection is read, so that the limits for packets hold before anything is kept: besides a piece, a connection needs the memory of its
 * algorithm. On the event loop.
 */
public final class CompressedPackets extends ChannelDuplexHandler {
    private static final int HEADER = 7;
    private static final int PIECE = 1 << 16;
    private static final int BLOCK = 1 << 18;

    /** Shorter blocks are sent as they are, as by MySQL. */
    private static final int SHORT = 50;

    private final BlockCodec codec;
    private ByteBuf in; // null for nothing
    private int compressedLeft = -1; // bytes of the packet that is being received; -1 for none
    private int plainLeft; // 0 if it is not compressed
    private boolean isCompressed;
    private int received = -1;
    private int nextId = 1;
    private boolean isDecoding;
    private boolean isBroken;

    /** @param level that of the client, for zstd */
    public CompressedPackets(Compression algorithm, int level) {
        this.codec = algorithm.codec(level);
    }

    /** The next packet answers those that were received. */
    public void answer() {
        nextId = received + 1 & 0xff;
    }

    // ---- receiving

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (isBroken) {
            bytes.release();
            return;
        }
        if (in == null) {
            in = bytes;
        } else {
            ByteBuf joined = ctx.alloc().directBuffer(in.readableBytes() + bytes.readableBytes());
            joined.writeBytes(in).writeBytes(bytes);
            in.release();
            bytes.release();
            in = joined;
        }
        decode(ctx);
    }

    /** When the connection is read again, the bytes that are here come first. */
    @Override
    public void read(ChannelHandlerContext ctx) {
        if (hasMore() && !isDecoding) {
            decode(ctx);
            ctx.fireChannelReadComplete();
        }
        if (!hasMore() || isDecoding) {
            ctx.read();
        }
    }

    /** Whether the bytes that are here can be decoded further. */
    private boolean hasMore() {
        int bytes = in == null ? 0 : in.readableBytes();
        return !isBroken && (compressedLeft < 0 ? bytes >= HEADER : compressedLeft == 0 || bytes > 0);
    }

    private void decode(ChannelHandlerContext ctx) {
        isDecoding = true;
        try {
            while (hasMore() && ctx.channel().config().isAutoRead()) {
                if (compressedLeft < 0) {
                    header();
                } else if (isCompressed) {
                    decompress(ctx);
                } else {
                    int bytes = Math.min(PIECE, Math.min(compressedLeft, in.readableBytes()));
                    compressedLeft -= bytes;
                    ByteBuf piece = in.readRetainedSlice(bytes);
                    endIfWhole(compressedLeft == 0);
                    ctx.fireChannelRead(piece);
                }
            }
        } catch (IllegalArgumentException e) {
            isBroken = true;
            ctx.fireUserEventTriggered(new DamagedPacket(e.getMessage()));
        } finally {
            isDecoding = false;
        }
        if (in != null && (isBroken || !in.isReadable())) {
            in.release();
            in = null;
        }
    }

    private void header() {
        compressedLeft = in.readUnsignedMediumLE();
        int id = in.readUnsignedByte();
        plainLeft = in.readUnsignedMediumLE();
        isCompressed = plainLeft > 0;
        if (id != 0 && id != (received + 1 & 0xff)) {
            throw new IllegalArgumentException(
                    "expected the sequence id " + (received + 1 & 0xff) + " of a compressed packet, found " + id);
        }
        received = id;
        if (isCompressed && compressedLeft == 0) {
            throw new IllegalArgumentException("expected a compressed packet with data, found an empty one");
        }
        if (isCompressed) {
            codec.nextBlock(plainLeft);
        }
        endIfWhole(compressedLeft == 0);
    }

    private void decompress(ChannelHandlerContext ctx) {
        ByteBuf direct = in == null
                ? Unpooled.EMPTY_BUFFER
                : in.isDirect() && in.nioBufferCount() == 1 ? in.retain() : copied(ctx, in);
        int length = Math.min(compressedLeft, direct.readableBytes());
        ByteBuf piece = ctx.alloc().directBuffer(Math.min(PIECE, plainLeft + 1));
        try {
            ByteBuffer from = direct.nioBuffer(direct.readerIndex(), length);
            ByteBuffer to = piece.nioBuffer(0, piece.capacity());
            boolean isWhole = codec.decompress(from, to);
            int produced = to.position();
            int consumed = length - from.remaining();
            if (consumed > 0) {
                in.skipBytes(consumed);
            }
            compressedLeft -= consumed;
            plainLeft -= produced;
            boolean stands = consumed == 0 && produced == 0 || compressedLeft == 0 && to.hasRemaining();
            if (plainLeft < 0 || isWhole != (plainLeft == 0 && compressedLeft == 0) && (isWhole || stands)) {
                throw new IllegalArgumentException(
                        "expected a compressed packet with the lengths in its header, found other lengths: "
                                + compressedLeft + " bytes left, " + plainLeft + " bytes of content missing");
            }
            endIfWhole(isWhole);
            if (produced > 0) {
                ctx.fireChannelRead(piece.retain().writerIndex(produced));
            }
        } finally {
            piece.release();
            direct.release();
        }
    }

    private static ByteBuf copied(ChannelHandlerContext ctx, ByteBuf bytes) {
        return ctx.alloc().directBuffer(bytes.readableBytes()).writeBytes(bytes.duplicate());
    }

    private void endIfWhole(boolean isWhole) {
        if (isWhole) {
            compressedLeft = -1;
        }
    }

    // ---- sending

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message == PacketMark.ACKNOWLEDGED) {
            nextId = 1;
            if (!promise.isVoid()) {
                promise.trySuccess();
            }
            return;
        }
        ByteBuf plain = (ByteBuf) message;
        try {
            while (plain.readableBytes() > BLOCK) {
                var unused = ctx.write(block(ctx, plain.readSlice(BLOCK)), ctx.voidPromise());
            }
            var unused = ctx.write(block(ctx, plain), promise);
        } finally {
            plain.release();
        }
    }

    private ByteBuf block(ChannelHandlerContext ctx, ByteBuf plain) {
        int length = plain.readableBytes();
        if (length < SHORT) {
            return stored(ctx, plain);
        }
        ByteBuf direct = plain.isDirect() && plain.nioBufferCount() == 1 ? plain.retain() : copied(ctx, plain);
        ByteBuf out = ctx.alloc().directBuffer(HEADER + codec.bound(length));
        try {
            ByteBuffer to = out.nioBuffer(HEADER, codec.bound(length));
            codec.compress(direct.nioBuffer(), to);
            int compressed = to.position();
            if (compressed < length) {
                header(out, compressed, length);
                return out.retain().writerIndex(HEADER + compressed);
            }
        } finally {
            out.release();
            direct.release();
        }
        return stored(ctx, plain);
    }

    private ByteBuf stored(ChannelHandlerContext ctx, ByteBuf plain) {
        ByteBuf out = ctx.alloc().directBuffer(HEADER + plain.readableBytes());
        header(out, plain.readableBytes(), 0);
        return out.writeBytes(plain);
    }

    private void header(ByteBuf out, int length, int plainLength) {
        out.writeMediumLE(length).writeByte(nextId).writeMediumLE(plainLength);
        nextId = nextId + 1 & 0xff;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        isBroken = true;
        if (in != null && !isDecoding) {
            in.release();
            in = null;
        }
        codec.close();
    }
}
