package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A packet waits until it may be received; none is lost, and each is asked for once if it is accepted. */
class PacketAdmissionTest {
    private final PacketDecoder decoder = new PacketDecoder(1 << 30, new PacketSequence(false));
    private final AtomicInteger reads = new AtomicInteger();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
                @Override
                public void read(ChannelHandlerContext ctx) {
                    reads.incrementAndGet();
                }
            },
            decoder);
    private final List<Long> asked = new ArrayList<>();
    private long most = 2;

    private static ByteBuf packet(int sequence, int length) {
        return Unpooled.buffer().writeMediumLE(length).writeByte(sequence).writeBytes(new byte[length]);
    }

    private int received() {
        ByteBuf packet = channel.readInbound();
        int length = packet.readableBytes();
        packet.release();
        return length;
    }

    private void retry() throws Exception {
        decoder.retry(channel.pipeline().context(decoder));
    }

    @Test
    void aPacketWaitsUntilItMayBeReceived() throws Exception {
        decoder.admit(length -> {
            asked.add(length);
            return length <= most;
        });
        channel.writeInbound(packet(0, 2), packet(1, 9), packet(2, 1));
        assertEquals(2, received());
        assertNull(channel.readInbound());
        retry();
        assertNull(channel.readInbound());
        most = 9;
        retry();
        assertEquals(9, received());
        assertEquals(1, received());
        assertEquals(List.of(1L), asked.subList(asked.size() - 1, asked.size()));
        assertEquals(asked.indexOf(1L), asked.lastIndexOf(1L));
        channel.finishAndReleaseAll();
    }

    @Test
    void aPacketInPiecesIsAskedForOnce() {
        decoder.admit(length -> asked.add(length));
        ByteBuf whole = packet(0, 5);
        for (int i = 0; i < 9; i++) {
            channel.writeInbound(whole.readRetainedSlice(1));
        }
        whole.release();
        assertEquals(5, received());
        assertEquals(List.of(5L), asked);
        channel.finishAndReleaseAll();
    }

    /** Otherwise a packet that waits for memory would be buffered nevertheless. */
    @Test
    void nothingIsReadWhileAPacketWaits() {
        decoder.admit(length -> length <= most);
        channel.config().setAutoRead(false);
        ByteBuf whole = packet(0, 100);
        int before = reads.get();
        channel.writeInbound(whole.readRetainedSlice(10));
        channel.writeInbound(whole.readRetainedSlice(10));
        assertEquals(before, reads.get());
        whole.release();
        channel.finishAndReleaseAll();
    }
}
