package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.serve.dump.DumpConfig;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers that do not disturb each other: many at once, one that stops, events of any size. */
@Timeout(120)
class ManyReadersTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long PAUSE_NANOS = 200_000;
    private static final long LARGEST_SHARE = 3 << 19; // 1 MiB may wait, and then one block more

    @TempDir
    Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private ServedBinlog binlog;

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable thing : opened) {
            thing.close();
        }
        binlog.close();
    }

    /** A reader: what it has received, and a checksum of all its bytes. */
    private final class Reader {
        private final BinlogStream stream;
        private final CRC32 sum = new CRC32();
        private long gno;
        private long events;

        Reader(int id, String has) throws Exception {
            MysqlConnection connection = new MysqlClient(binlog.group())
                    .connect(Endpoint.of("127.0.0.1", binlog.port(), "reader", "secret"))
                    .get(20, java.util.concurrent.TimeUnit.SECONDS);
            opened.add(0, connection);
            BinlogDump dump = BinlogDump.after(GtidSet.parse(has), 100 + id, new UUID(7, id))
                    .withBounds(64 << 10, 64 << 20)
                    .withHeartbeat(Duration.ZERO);
            stream = connection.await(connection.dump(dump), LIMIT);
            opened.add(0, stream);
        }

        private boolean event(ByteBuffer view, int at, int length) {
            int type = EventHeader.type(view, at);
            if (type == EventType.GTID_LOG_EVENT) {
                assertEquals(gno == 0 ? GtidEvent.gno(view, at) : gno + 1, GtidEvent.gno(view, at));
                gno = GtidEvent.gno(view, at);
            }
            if (EventHeader.timestamp(view, at) != 0) {
                events++;
                sum.update(view.duplicate().limit(at + length).position(at));
            }
            return true;
        }

        int poll() {
            assertTrue(stream.isOpen(), () -> stream.end().toString());
            return stream.poll(this::event, 1 << 20);
        }

        void until(long last) {
            ManyReadersTest.until("transaction " + last, () -> {
                poll();
                return gno >= last && poll() == 0;
            });
        }
    }

    private static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, () -> "timed out waiting for " + what);
            LockSupport.parkNanos(PAUSE_NANOS); // the server needs the processor too
        }
    }

    @Test
    void twoHundredReadersGetEverythingWhileOneOfThemStops() throws Exception {
        binlog = new ServedBinlog(folder, 4 << 20, ServedBinlog.DUMPS).write(10);
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            readers.add(new Reader(i, ""));
        }
        Reader stopped = readers.remove(77);
        long largest = 0;
        for (int i = 0; i < 30; i++) {
            binlog.writeLarge(40, 8_000); // 320 KB at a time: 10 MB in all, over several files
            binlog.write(20);
            long last = binlog.task.gno();
            until("transaction " + last, () -> {
                readers.forEach(Reader::poll);
                return readers.stream().allMatch(reader -> reader.gno == last);
            });
            largest = Math.max(largest, (long) binlog.metric("tributary_serve_waiting_bytes"));
        }
        for (Reader reader : readers) {
            reader.until(binlog.task.gno());
            assertEquals(readers.get(0).events, reader.events);
            assertEquals(readers.get(0).sum.getValue(), reader.sum.getValue(), "the same bytes for all");
        }
        until("bytes that wait for the stopped reader", () -> binlog.metric("tributary_serve_waiting_bytes") > 0);
        assertTrue(
                binlog.metric("tributary_serve_waiting_bytes") <= LARGEST_SHARE,
                () -> "waits for one reader: " + binlog.metric("tributary_serve_waiting_bytes"));
        assertTrue(largest < 200 * LARGEST_SHARE, "waited at most: " + largest);
        stopped.until(binlog.task.gno());
        assertEquals(readers.get(0).events, stopped.events);
        assertEquals(readers.get(0).sum.getValue(), stopped.sum.getValue(), "it catches up, with the same bytes");
        until("nothing to wait", () -> binlog.metric("tributary_serve_waiting_bytes") == 0);
        assertEquals(200, binlog.metric("tributary_serve_readers"));
    }

    @Test
    void anEventOfMoreThanOnePacketIsSentInBoundedMemoryByGtidAndByPosition() throws Exception {
        binlog = new ServedBinlog(folder, 4 << 20, ServedBinlog.DUMPS).write(2);
        binlog.writeLarge(2, 40 << 20).write(1);
        Reader stopped = new Reader(1, ServedBinlog.GTIDS + "1-2");
        until("bytes that wait for the stopped reader", () -> binlog.metric("tributary_serve_waiting_bytes") > 100_000);
        WireReader byPosition = WireReader.of(binlog.port());
        opened.add(byPosition);
        byPosition.dump(0, 7, "", 4).untilGno(3);
        byte[] file = Files.readAllBytes(binlog.files().first().path());
        for (int i = 0; i < 2; i++) {
            WireReader.Packet rows = byPosition.next(EventType.WRITE_ROWS_EVENT);
            int end = (int) EventHeader.logPos(rows.bytes(), 0);
            byte[] expected =
                    java.util.Arrays.copyOfRange(file, end - rows.bytes().limit(), end);
            byte[] received = new byte[expected.length];
            rows.bytes().get(0, received);
            assertArrayEquals(expected, received);
        }
        assertEquals(4, byPosition.next(EventType.GTID_LOG_EVENT).gno());
        assertTrue(binlog.metric("tributary_serve_waiting_bytes") <= 2 * LARGEST_SHARE);
        stopped.until(4);
    }

    @Test
    void aReaderThatReceivesNothingForTooLongIsDisconnected() throws Exception {
        DumpConfig dumps = new DumpConfig(0, Duration.ofSeconds(10), Duration.ofSeconds(1));
        binlog = new ServedBinlog(folder, 4 << 20, dumps).write(2);
        Reader idle = new Reader(2, "");
        idle.until(2);
        binlog.writeLarge(60, 1 << 20);
        Reader stopped = new Reader(1, "");
        until("both", () -> binlog.metric("tributary_serve_readers") == 2);
        until("the end of the slow reader", () -> {
            idle.poll();
            return binlog.metric("tributary_serve_readers") == 1;
        });
        until("the client to notice it", () -> {
            idle.poll();
            stopped.stream.poll(stopped::event, 1 << 20);
            return !stopped.stream.isOpen();
        });
        idle.until(3);
        binlog.write(1);
        idle.until(4);
    }
}
