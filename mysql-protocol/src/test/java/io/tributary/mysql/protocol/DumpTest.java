package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.EventConsumer;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Dumps from Tributary's server to Tributary's client. */
final class DumpTest {
    private static final Account USER = Account.withPassword("repl", AuthMethod.CACHING_SHA2_PASSWORD, "pw");
    private static final UUID REPLICA = UUID.fromString("11111111-2222-3333-4444-555555555555");
    private static final int HUGE = 0xffffff;

    private final AtomicReference<DumpRequest> asked = new AtomicReference<>();

    private StreamEnd read(BinlogDump dump, BiConsumer<DumpRequest, EventSink> source, EventConsumer consumer) {
        EchoHandler handler = new EchoHandler((request, sink) -> {
            asked.set(request);
            source.accept(request, sink);
        });
        try (Loopback loopback = Loopback.with(handler, USER);
                MysqlConnection connection = loopback.connect("repl", "pw");
                BinlogStream stream = Answers.of(connection.dump(dump))) {
            assertTrue(stream.checksummed());
            assertEquals(4711, handler.replicas().get(connection.threadId()).serverId());
            long deadline = System.nanoTime() + Loopback.DEADLINE.toNanos();
            while (stream.isOpen()) {
                if (stream.poll(consumer, 1 << 20) == 0) {
                    Thread.onSpinWait();
                }
                assertTrue(System.nanoTime() < deadline, "no end of the stream");
            }
            return stream.end().orElseThrow();
        }
    }

    private static ByteBuffer event(int length) {
        ByteBuffer event = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            event.put(i, (byte) ((i * 31) >> 3));
        }
        event.put(4, (byte) 30);
        LittleEndian.putInt(event, 9, length);
        return event;
    }

    private static long sum(ByteBuffer view, int at, int length) {
        CRC32 crc = new CRC32();
        crc.update(view.duplicate().limit(at + length).position(at));
        return crc.getValue();
    }

    @Test
    void aDumpByGtidSetContainsTheSetOfTheReader() {
        GtidSet has = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7-9");
        BinlogDump dump = BinlogDump.after(has, 4711, REPLICA).withoutWaiting();
        StreamEnd end = read(dump, (request, sink) -> sink.finish(), (view, at, length) -> true);
        assertInstanceOf(StreamEnd.Finished.class, end);
        assertEquals(has, asked.get().gtids().orElseThrow());
        assertEquals("", asked.get().file());
        assertEquals(4711, asked.get().serverId());
        assertTrue(asked.get().isNonBlocking());
        assertTrue(asked.get().wantsHeartbeatV2());
    }

    @Test
    void aDumpByPositionContainsFileAndPosition() {
        BinlogDump dump = BinlogDump.from("binlog.000007", 0xfffffff0L, 4711, REPLICA);
        StreamEnd end = read(
                dump,
                (request, sink) -> sink.fail(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG, "purged: bäd luck"),
                (view, at, length) -> true);
        StreamEnd.Refused refused = assertInstanceOf(StreamEnd.Refused.class, end);
        assertEquals(1236, refused.error().errorCode());
        assertEquals("purged: bäd luck", refused.error().serverMessage());
        assertEquals(new DumpRequest(4711, 2, "binlog.000007", 0xfffffff0L, java.util.Optional.empty()), asked.get());
    }

    @Test
    void aClosedConnectionIsLost() {
        BinlogDump dump = BinlogDump.from("", 4, 4711, REPLICA).withHeartbeat(Duration.ZERO);
        AtomicInteger events = new AtomicInteger();
        StreamEnd end = read(
                dump,
                (request, sink) -> {
                    sink.events(event(100), 0, 100);
                    sink.close();
                },
                (view, at, length) -> events.incrementAndGet() > 0);
        assertInstanceOf(StreamEnd.Lost.class, end);
        assertEquals(1, events.get());
    }

    @Test
    void eventsAroundAndOverSixteenMebibytesArriveWhole() {
        int[] lengths = {HUGE - 2, 19, HUGE - 1, 30, HUGE, 2 * HUGE - 1, 50, 2 * HUGE + 5};
        for (boolean inParts : new boolean[] {false, true}) {
            AtomicInteger next = new AtomicInteger();
            StreamEnd end = read(
                    BinlogDump.from("", 4, 4711, REPLICA),
                    (request, sink) -> {
                        for (int length : lengths) {
                            send(sink, event(length), inParts);
                        }
                        sink.finish();
                    },
                    (view, at, length) -> {
                        int expected = lengths[next.getAndIncrement()];
                        assertEquals(expected, length);
                        assertEquals(sum(event(expected), 0, expected), sum(view, at, length));
                        return true;
                    });
            assertInstanceOf(StreamEnd.Finished.class, end, end.toString());
            assertEquals(lengths.length, next.get());
        }
    }

    private static void send(EventSink sink, ByteBuffer event, boolean inParts) {
        int length = event.capacity();
        if (!inParts) {
            sink.events(event, 0, length);
            return;
        }
        sink.begin(length);
        for (int at = 0; at < length; at += 5_000_011) {
            sink.part(event, at, Math.min(5_000_011, length - at));
        }
    }

    @Test
    void aSlowReaderStopsTheWriterUntilThereIsRoom() {
        int blocks = 400;
        ByteBuffer block = ByteBuffer.allocate(640 * 100);
        for (int i = 0; i < 640; i++) {
            block.put(i * 100, event(100), 0, 100);
        }
        AtomicInteger sent = new AtomicInteger();
        CompletableFuture<Boolean> withoutRoom = new CompletableFuture<>();
        AtomicLong events = new AtomicLong();
        BinlogDump dump = BinlogDump.from("", 4, 4711, REPLICA).withBounds(1 << 17, 1 << 20);
        StreamEnd end = read(
                dump,
                (request, sink) -> {
                    Runnable pump = () -> {
                        while (sink.hasRoom() && sent.get() < blocks) {
                            sink.events(block, 0, block.capacity());
                            if (sent.incrementAndGet() == blocks) {
                                sink.finish();
                            }
                        }
                        if (sent.get() < blocks) {
                            withoutRoom.complete(true);
                        }
                    };
                    sink.onRoom(pump);
                    pump.run();
                },
                (view, at, length) -> {
                    Answers.of(withoutRoom); // nothing is read before the writer has to wait
                    return events.incrementAndGet() > 0;
                });
        assertInstanceOf(StreamEnd.Finished.class, end, end.toString());
        assertEquals(640L * blocks, events.get());
    }
}
