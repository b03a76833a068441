package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.tributary.common.error.TributaryException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packet headers, splitting and joining, and the values inside. */
final class PacketCodecTest {
    private static final int LIMIT = 100_000_000;

    private static ByteBuf packets(byte[]... payloads) {
        PacketSequence sequence = new PacketSequence(false);
        ByteBuf out = Unpooled.buffer();
        for (byte[] payload : payloads) {
            int at = Packets.begin(out);
            out.writeBytes(payload);
            Packets.end(out, at, sequence);
        }
        return out;
    }

    private static EmbeddedChannel decoder(int limit) {
        return new EmbeddedChannel(new PacketDecoder(limit, new PacketSequence(false)));
    }

    private static void isReceived(EmbeddedChannel channel, byte[] payload) {
        ByteBuf received = channel.readInbound();
        assertArrayEquals(payload, ByteBufUtil.getBytes(received));
        received.release();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void packetsArriveWholeWhereverTheyAreSplit() {
        byte[][] payloads = {random(1), random(0), random(50), random(7)};
        ByteBuf sent = packets(payloads);
        for (int cut = 0; cut <= sent.readableBytes(); cut++) {
            EmbeddedChannel channel = decoder(LIMIT);
            channel.writeInbound(sent.copy(0, cut));
            channel.writeInbound(sent.copy(cut, sent.readableBytes() - cut));
            for (byte[] payload : payloads) {
                isReceived(channel, payload);
            }
            assertNull(channel.readInbound());
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void payloadsOfSixteenMebibytesAndMoreAreSplitAndJoined() {
        int max = PacketDecoder.MAX_PACKET_PAYLOAD;
        for (int length : new int[] {max - 1, max, max + 1, 2 * max, 3 * max + 17}) {
            byte[] payload = random(length);
            ByteBuf sent = packets(payload, random(3));
            int headers = length / max + 2;
            assertEquals(length + 3 + headers * PacketDecoder.PACKET_HEADER, sent.readableBytes());
            EmbeddedChannel channel = decoder(LIMIT);
            channel.writeInbound(sent);
            isReceived(channel, payload);
            isReceived(channel, random(3));
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void aPacketOverTheLimitIsRejectedByItsHeaderAlone() {
        EmbeddedChannel channel = decoder(100);
        channel.writeInbound(packets(random(100)));
        isReceived(channel, random(100));
        ByteBuf header = Unpooled.wrappedBuffer(new byte[] {101, 0, 0, 1});
        RuntimeException refused = assertThrows(RuntimeException.class, () -> channel.writeInbound(header));
        assertTrue(refused.getMessage().contains("at most 100 bytes, found one of 101"), refused.getMessage());
        channel.finishAndReleaseAll();
    }

    @Test
    void aPacketOutOfOrderIsRefused() {
        EmbeddedChannel channel = decoder(100);
        ByteBuf second = Unpooled.wrappedBuffer(new byte[] {1, 0, 0, 1, 7});
        RuntimeException refused = assertThrows(RuntimeException.class, () -> channel.writeInbound(second));
        assertTrue(refused.getMessage().contains("expected sequence id 0, found 1"), refused.getMessage());
        channel.finishAndReleaseAll();
    }

    @Test
    void lengthEncodedIntegersAreReadBack() {
        long[] values = {0, 1, 250, 251, 252, 255, 65535, 65536, 0xffffff, 0x1000000, Long.MAX_VALUE};
        ByteBuf buffer = Unpooled.buffer();
        for (long value : values) {
            LengthEncoding.writeInteger(buffer, value);
        }
        for (long value : values) {
            assertEquals(value, LengthEncoding.readInteger(buffer));
        }
        assertEquals(0, buffer.readableBytes());
    }

    @Test
    void invalidLengthEncodedValuesAreRejected() {
        byte[][] malformed = {
            {},
            {(byte) 0xfb},
            {(byte) 0xff},
            {(byte) 0xfc, 1},
            {(byte) 0xfd, 1, 2},
            {(byte) 0xfe, 1, 2, 3, 4, 5, 6, 7},
            {(byte) 0xfe, 0, 0, 0, 0, 0, 0, 0, (byte) 0x80},
            {3, 'a', 'b'},
            {(byte) 0xfe, 0, 0, 0, 0, 0, 0, 0, 0x7f, 'a'},
        };
        for (byte[] bytes : malformed) {
            assertThrows(TributaryException.class, () -> LengthEncoding.readBytes(Unpooled.wrappedBuffer(bytes)));
        }
    }
}
