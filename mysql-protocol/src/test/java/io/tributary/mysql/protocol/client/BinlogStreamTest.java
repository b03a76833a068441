package io.tributary.mysql.protocol.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Outbound;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stream and its consumer, with bytes from the test. */
final class BinlogStreamTest {
    private static final int BOUND = 1 << 12;
    private static final int MAX_EVENT = 1 << 20;
    private static final int LARGE_EVENT = 40 << 20;
    private static final int MAX_PACKET = 0xffffff;

    private final Random random = new Random(7);
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private EmbeddedChannel channel;
    private BinlogStream stream;
    private boolean autoRead = true;
    private int memory;

    @BeforeEach
    void open() {
        openOn(new EmbeddedChannel());
    }

    private void openOn(EmbeddedChannel fresh) {
        openOn(fresh, MAX_EVENT);
    }

    private void openOn(EmbeddedChannel fresh, int maxEventBytes) {
        channel = fresh;
        ChunkQueue chunks = new ChunkQueue(channel, BOUND);
        channel.pipeline().addLast(chunks);
        stream = new BinlogStream(chunks, "shard", true, maxEventBytes);
    }

    @AfterEach
    void close() {
        stream.close();
        channel.finishAndReleaseAll();
    }

    private void fresh() {
        close();
        open();
    }

    private void receive(byte[] bytes, int from, int to) {
        ByteBuf chunk = Unpooled.directBuffer(Math.max(1, to - from));
        channel.writeInbound(chunk.writeBytes(bytes, from, to - from));
    }

    private int poll(int maxBytes) {
        return stream.poll(this::take, maxBytes);
    }

    private boolean take(ByteBuffer view, int at, int length) {
        byte[] event = new byte[length];
        view.get(at, event);
        taken.writeBytes(event);
        memory = view.capacity();
        return true;
    }

    private void isTaken(ByteBuffer events) {
        assertEquals(events.rewind(), ByteBuffer.wrap(taken.toByteArray()));
        taken.reset();
    }

    @Test
    void eventsArriveWholeWhereverTheyAreSplit() {
        int[] lengths = {19, 40, 160, 23, 300};
        for (int cut = 0; ; cut++) {
            ByteBuffer events = TestEvents.block(random, lengths);
            byte[] framed = TestEvents.framed(events, lengths);
            if (cut == framed.length) {
                return;
            }
            fresh();
            receive(framed, 0, cut);
            int before = poll(Integer.MAX_VALUE);
            receive(framed, cut, framed.length);
            assertEquals(lengths.length, before + poll(Integer.MAX_VALUE));
            isTaken(events);
        }
    }

    @Test
    void eventsArriveWholeByteByByte() {
        int[] lengths = {19, 40, 160, 23, 300};
        ByteBuffer events = TestEvents.block(random, lengths);
        byte[] framed = TestEvents.framed(events, lengths);
        for (int i = 0; i < framed.length; i++) {
            receive(framed, i, i + 1);
            poll(Integer.MAX_VALUE);
        }
        isTaken(events);
        assertEquals(0, stream.queuedBytes() >> 10);
    }

    @Test
    void randomEventsArriveWholeInRandomChunks() {
        for (int round = 0; round < 200; round++) {
            fresh();
            int[] lengths = random.ints(200, 19, round % 10 == 0 ? 3000 : 200).toArray();
            ByteBuffer events = TestEvents.block(random, lengths);
            byte[] framed = TestEvents.framed(events, lengths);
            int at = 0;
            while (at < framed.length) {
                int to = Math.min(framed.length, at + random.nextInt(1000));
                receive(framed, at, to);
                at = to;
                if (random.nextBoolean()) {
                    poll(1 + random.nextInt(500));
                }
            }
            while (poll(1 + random.nextInt(2000)) > 0) {}
            isTaken(events);
        }
    }

    @Test
    void anEventOfSeveralPacketsUsesNoMoreMemoryThanItsLength() {
        close();
        openOn(new EmbeddedChannel(), LARGE_EVENT);
        ByteBuffer event = TestEvents.block(random, LARGE_EVENT);
        byte[] payload = new byte[1 + LARGE_EVENT]; // 0 and the event
        event.get(0, payload, 1, LARGE_EVENT);
        for (int at = 0, id = 1; at < payload.length; at += MAX_PACKET) {
            int length = Math.min(MAX_PACKET, payload.length - at);
            receive(new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) id++}, 0, 4);
            receive(payload, at, at + length);
            poll(Integer.MAX_VALUE);
        }
        assertEquals(payload.length, memory);
        isTaken(event);
    }

    @Test
    void aPollEndsAtItsLimitAndWhenTheConsumerStopsIt() {
        int[] lengths = {100, 100, 100, 100, 100};
        ByteBuffer events = TestEvents.block(random, lengths);
        byte[] framed = TestEvents.framed(events, lengths);
        receive(framed, 0, framed.length);
        assertEquals(1, poll(1));
        assertEquals(2, poll(101));
        assertEquals(1, stream.poll((view, at, length) -> !take(view, at, length), Integer.MAX_VALUE));
        assertEquals(1, poll(Integer.MAX_VALUE));
        assertEquals(0, poll(Integer.MAX_VALUE));
        isTaken(events);
        assertEquals(500, stream.takenBytes());
    }

    @Test
    void anEventWhoseConsumerThrowsCountsAsConsumed() {
        int[] lengths = {100, 50, 60};
        ByteBuffer events = TestEvents.block(random, lengths);
        byte[] framed = TestEvents.framed(events, lengths);
        receive(framed, 0, 120);
        EventConsumer thrower = (view, at, length) -> {
            take(view, at, length);
            throw new IllegalStateException("full");
        };
        assertThrows(IllegalStateException.class, () -> stream.poll(thrower, 1000));
        assertEquals(0, poll(1000));
        receive(framed, 120, framed.length);
        assertThrows(IllegalStateException.class, () -> stream.poll(thrower, 1000));
        assertEquals(1, poll(1000));
        isTaken(events);
    }

    @Test
    void readingPausesAboveTheLimitAndResumesBelowHalfOfIt() {
        int[] lengths = new int[60];
        Arrays.fill(lengths, 150);
        byte[] framed = TestEvents.framed(TestEvents.block(random, lengths), lengths);
        int each = framed.length / 60;
        for (int i = 0; i < 20; i++) {
            receive(framed, i * each, (i + 1) * each);
        }
        assertTrue(channel.config().isAutoRead());
        for (int i = 20; i < 30; i++) {
            receive(framed, i * each, (i + 1) * each);
        }
        assertFalse(channel.config().isAutoRead());
        poll(5 * 150);
        assertFalse(channel.config().isAutoRead());
        poll(15 * 150);
        channel.runPendingTasks();
        assertTrue(channel.config().isAutoRead());
    }

    /** The poller drains the queue just when the event loop is about to stop reading: reading must resume. */
    @Test
    void readingResumesWhateverThePollerDoesInTheMeantime() {
        for (boolean before : new boolean[] {true, false}) {
            close();
            channel = new EmbeddedChannel() {
                @Override
                public ChannelConfig config() {
                    return new DefaultChannelConfig(this) {
                        @Override
                        public ChannelConfig setAutoRead(boolean on) {
                            if (!on && before) {
                                poll(Integer.MAX_VALUE);
                            }
                            super.setAutoRead(on);
                            if (!on && !before) {
                                poll(Integer.MAX_VALUE);
                            }
                            autoRead = on;
                            return this;
                        }
                    };
                }
            };
            openOn(channel);
            int[] lengths = new int[60];
            Arrays.fill(lengths, 150);
            byte[] framed = TestEvents.framed(TestEvents.block(random, lengths), lengths);
            receive(framed, 0, framed.length);
            channel.runPendingTasks();
            poll(Integer.MAX_VALUE);
            channel.runPendingTasks();
            assertTrue(autoRead, "the poller drained it " + (before ? "before" : "after"));
        }
    }

    @Test
    void theEndIsSeenAfterTheLastEvent() {
        byte[] framed = TestEvents.framed(TestEvents.block(random, 100), 100);
        receive(framed, 0, framed.length);
        byte[] eof = {5, 0, 0, 2, (byte) 0xfe, 0, 0, 2, 0};
        receive(eof, 0, eof.length);
        assertTrue(stream.isOpen());
        assertEquals(1, poll(1));
        assertTrue(stream.isOpen());
        assertEquals(0, poll(1));
        assertFalse(stream.isOpen());
        assertInstanceOf(StreamEnd.Finished.class, stream.end().orElseThrow());
    }

    @Test
    void anErrorIsSeenWithItsCodeAndMessage() {
        byte[] error = {13, 0, 0, 1, (byte) 0xff, (byte) 0xd4, 4, '#', 'H', 'Y', '0', '0', '0', 'g', 'o', 'n', 'e'};
        receive(error, 0, 6);
        assertEquals(0, poll(1));
        receive(error, 6, error.length);
        assertEquals(0, poll(1));
        StreamEnd.Refused refused =
                assertInstanceOf(StreamEnd.Refused.class, stream.end().orElseThrow());
        assertEquals(1236, refused.error().errorCode());
        assertEquals("gone", refused.error().serverMessage());
    }

    @Test
    void aLostConnectionIsSeenAfterTheLastWholeEvent() {
        int[] lengths = {100, 100};
        byte[] framed = TestEvents.framed(TestEvents.block(random, lengths), lengths);
        receive(framed, 0, 150);
        Outbound.close(channel);
        assertEquals(1, poll(1000));
        assertEquals(0, poll(1000));
        StreamEnd.Lost lost =
                assertInstanceOf(StreamEnd.Lost.class, stream.end().orElseThrow());
        assertEquals(ErrorCode.SHARD_UNREACHABLE, ((TributaryException) lost.cause()).code());
    }

    @Test
    void bytesThatAreNotAReplicationStreamEndIt() {
        byte[] outOfOrder = TestEvents.framed(TestEvents.block(random, 100), 100);
        outOfOrder[3] = 2;
        violates(outOfOrder);
        byte[] otherLength = TestEvents.framed(TestEvents.block(random, 100), 100);
        otherLength[5 + 9] = 99;
        violates(otherLength);
        violates(new byte[] {0, 0, 0, 1});
        violates(new byte[] {1, 0, 0, 1, 0});
        violates(new byte[] {2, 0, 0, 1, 0x33, 0});
        violates(new byte[] {(byte) 0xff, (byte) 0xff, 0x7f, 1, 0});
    }

    private void violates(byte[] bytes) {
        for (int cut = 0; cut < bytes.length; cut++) {
            fresh();
            receive(bytes, 0, cut);
            poll(1);
            receive(bytes, cut, bytes.length);
            assertEquals(0, poll(1));
            StreamEnd.Lost lost =
                    assertInstanceOf(StreamEnd.Lost.class, stream.end().orElseThrow());
            assertEquals(ErrorCode.PROTOCOL_VIOLATED, ((TributaryException) lost.cause()).code());
        }
    }
}
