package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.serve.statement.Answer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers of the binlog, over real connections. */
@Timeout(60)
class BinlogServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final UUID REPLICA = UUID.fromString("99999999-0000-0000-0000-000000000001");
    private static final String GTIDS = BinlogSettings.UUID + ":";

    @TempDir
    Path folder;

    private final TaskStream task = new TaskStream(1, Optional.empty());
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Dumper dumper;
    private BinlogServer server;

    /** Serves three finished files of transactions, and the beginning of a fourth. */
    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(20_000));
        while (dumper.files().list().size() < 4) {
            write(10);
        }
        write(5);
        server = ServeSettings.serve(
                folder.resolve("serve"), dumper.files(), group, "serve.user = reader", "serve.password = secret");
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable thing : opened) {
            thing.close();
        }
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, java.util.concurrent.TimeUnit.SECONDS).await();
    }

    private void write(int transactions) throws Exception {
        dumper.put(task.batch(transactions));
        dumper.put(task.cut());
        dumper.run();
    }

    private MysqlConnection connect() throws Exception {
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.address().getPort(), "reader", "secret");
        MysqlConnection connection =
                new MysqlClient(group).connect(endpoint).get(20, java.util.concurrent.TimeUnit.SECONDS);
        opened.add(0, connection);
        return connection;
    }

    /** The events that a reader received. */
    private final class Capture {
        private final BinlogStream stream;
        private final List<Integer> types = new ArrayList<>();
        private final List<Long> gnos = new ArrayList<>();
        private final List<String> rotations = new ArrayList<>();
        private final ByteArrayOutputStream fileBytes = new ByteArrayOutputStream();

        Capture(BinlogDump dump) throws Exception {
            MysqlConnection connection = connect();
            stream = connection.await(connection.dump(dump), LIMIT);
            opened.add(0, stream);
        }

        private boolean event(ByteBuffer view, int at, int length) {
            int type = EventHeader.type(view, at);
            types.add(type);
            if (type == EventType.GTID_LOG_EVENT) {
                gnos.add(GtidEvent.gno(view, at));
            }
            if (type == EventType.ROTATE_EVENT && EventHeader.timestamp(view, at) == 0) {
                rotations.add(RotateEvent.fileName(view, at, at + length - 4));
                if (rotations.size() > 1) {
                    fileBytes.reset();
                }
            } else if (type != EventType.HEARTBEAT_LOG_EVENT && type != EventType.HEARTBEAT_LOG_EVENT_V2) {
                byte[] bytes = new byte[length];
                view.get(at, bytes);
                fileBytes.writeBytes(bytes);
            }
            return true;
        }

        Capture until(String what, BooleanSupplier condition) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!condition.getAsBoolean()) {
                if (stream.poll(this::event, 1 << 20) == 0) {
                    Thread.onSpinWait();
                }
                assertTrue(System.nanoTime() < deadline, () -> "timed out waiting for " + what + "; types " + types);
            }
            return this;
        }

        Capture untilEnd() {
            return until("the end", () -> !stream.isOpen());
        }

        Capture untilGno(long gno) {
            return until("transaction " + gno, () -> !gnos.isEmpty() && gnos.get(gnos.size() - 1) == gno);
        }

        long count(int type) {
            return types.stream().filter(each -> each == type).count();
        }
    }

    private static List<Long> range(long first, long last) {
        List<Long> range = new ArrayList<>();
        for (long i = first; i <= last; i++) {
            range.add(i);
        }
        return range;
    }

    private BinlogDump byGtid(String has) {
        return BinlogDump.after(GtidSet.parse(has), 7, REPLICA);
    }

    @Test
    void aReaderWithNothingGetsEverythingAndTheNameOfEachFile() throws Exception {
        Capture got = new Capture(byGtid("").withoutWaiting()).untilEnd();
        assertEquals(range(1, task.gno()), got.gnos);
        assertEquals(dumper.files().list().stream().map(BinlogFile::name).toList(), got.rotations);
        assertInstanceOf(StreamEnd.Finished.class, got.stream.end().orElseThrow());
    }

    @Test
    void aReaderByGtidGetsExactlyWhatItMissesWithGaps() throws Exception {
        long last = task.gno();
        Capture got = new Capture(byGtid(GTIDS + "1-5:8:20-" + (last - 3)).withoutWaiting()).untilEnd();
        List<Long> expected = new ArrayList<>(List.of(6L, 7L));
        expected.addAll(range(9, 19));
        expected.addAll(range(last - 2, last));
        assertEquals(expected, got.gnos);
        assertTrue(
                got.count(EventType.HEARTBEAT_LOG_EVENT) + got.count(EventType.HEARTBEAT_LOG_EVENT_V2) > 0,
                "a heartbeat reports a run of skipped transactions");
    }

    @Test
    void theBytesOfAFileAreSentUnchanged() throws Exception {
        BinlogFile last = dumper.files().durableEnd().file();
        Capture got = new Capture(BinlogDump.from(last.name(), 4, 7, REPLICA).withoutWaiting()).untilEnd();
        byte[] file = Files.readAllBytes(last.path());
        byte[] events = java.util.Arrays.copyOfRange(file, 4, (int) last.end());
        assertArrayEquals(events, got.fileBytes.toByteArray());
    }

    @Test
    void aReaderInTheMiddleOfAFileGetsTheRest() throws Exception {
        BinlogFile first = dumper.files().first();
        byte[] file = Files.readAllBytes(first.path());
        ByteBuffer bytes = ByteBuffer.wrap(file);
        int at = 4;
        long seen = 0;
        while (seen < 5) {
            seen += EventHeader.type(bytes, at) == EventType.GTID_LOG_EVENT ? 1 : 0;
            at = seen < 5 ? EventHeader.end(bytes, at) : at;
        }
        Capture got = new Capture(BinlogDump.from(first.name(), at, 7, REPLICA).withoutWaiting()).untilEnd();
        assertEquals(range(5, task.gno()), got.gnos);
    }

    @Test
    void aWaitingReaderGetsLaterTransactionsAlsoAfterARotation() throws Exception {
        Capture got = new Capture(byGtid(GTIDS + "1-" + task.gno()));
        int files = dumper.files().list().size();
        while (dumper.files().list().size() < files + 2) {
            write(10);
        }
        got.untilGno(task.gno());
        assertEquals(task.gno(), got.gnos.get(got.gnos.size() - 1));
        assertEquals(range(got.gnos.get(0), task.gno()), got.gnos);
    }

    @Test
    void anEventLargerThanABlockIsSentCompletely() throws Exception {
        dumper.put(task.large(2, 3_000_000, 500_000));
        dumper.put(task.cut());
        dumper.run();
        Capture got = new Capture(byGtid(GTIDS + "1-" + (task.gno() - 1)).withoutWaiting()).untilEnd();
        assertEquals(List.of(task.gno()), got.gnos);
        assertEquals(2, got.count(EventType.WRITE_ROWS_EVENT));
    }

    @Test
    void anIdleReaderGetsHeartbeats() throws Exception {
        Capture got = new Capture(byGtid(GTIDS + "1-" + task.gno()).withHeartbeat(Duration.ofMillis(30)));
        got.until(
                "three heartbeats",
                () -> got.count(EventType.HEARTBEAT_LOG_EVENT) + got.count(EventType.HEARTBEAT_LOG_EVENT_V2) >= 3);
        write(1);
        got.untilGno(task.gno());
    }

    @Test
    void aSecondDumpOfTheSameReplicaEndsTheFirst() throws Exception {
        Capture first = new Capture(byGtid("")).untilGno(task.gno());
        Capture second = new Capture(byGtid("")).untilGno(task.gno());
        first.untilEnd();
        write(1);
        second.untilGno(task.gno());
    }

    @Test
    void killEndsADump() throws Exception {
        Capture got = new Capture(byGtid("")).untilGno(task.gno());
        MysqlConnection other = connect();
        String id = other.query("SHOW PROCESSLIST", LIMIT).rows().stream()
                .map(row -> row.text(0))
                .filter(text -> !text.equals(Long.toString(other.threadId())))
                .findFirst()
                .orElseThrow();
        other.query("KILL " + id, LIMIT);
        got.untilEnd();
    }

    private String refusalOf(BinlogDump dump) throws Exception {
        Capture got = new Capture(dump).untilEnd();
        StreamEnd.Refused refused =
                assertInstanceOf(StreamEnd.Refused.class, got.stream.end().orElseThrow());
        assertEquals(1236, refused.error().errorCode());
        return refused.error().serverMessage();
    }

    @Test
    void requestsThatCannotBeServedAreRefusedByNameAndNumber() throws Exception {
        assertTrue(refusalOf(BinlogDump.from("binlog.000099", 4, 7, REPLICA)).contains("binlog.000099"));
        assertTrue(refusalOf(BinlogDump.from("binlog.000001", 99_999_999, 7, REPLICA))
                .contains("file size"));
        assertTrue(refusalOf(BinlogDump.from("binlog.000001", 777, 7, REPLICA)).contains("position 777"));
        long last = task.gno();
        assertTrue(refusalOf(byGtid(GTIDS + "1-" + (last + 5))).contains(Long.toString(last + 5)));
        dumper.files().purgeTo("binlog.000003");
        String purged = refusalOf(byGtid(GTIDS + "1-3"));
        assertTrue(purged.contains(BinlogSettings.UUID + ":4-"), purged);
    }

    private static String value(MysqlConnection connection, String query) {
        return connection.query(query, LIMIT).rows().get(0).text(0);
    }

    @Test
    void statementsAreAnsweredOrRefused() throws Exception {
        MysqlConnection connection = connect();
        assertEquals("1000", value(connection, "SELECT @@GLOBAL.SERVER_ID"));
        assertEquals(GTIDS + "1-" + task.gno(), value(connection, "SELECT @@GLOBAL.GTID_EXECUTED"));
        assertEquals(4, connection.query("SHOW BINARY LOGS", LIMIT).rows().size());
        MysqlServerError error =
                assertThrows(MysqlServerError.class, () -> connection.query("INSERT INTO t VALUES (1)", LIMIT));
        assertEquals(1290, error.errorCode());
        connection.query("SELECT 1", LIMIT);
    }

    @Test
    void aTableThatIsNotWaitedForEndsItsSearch() {
        CompletableFuture<Answer> search = new CompletableFuture<>();
        assertTrue(BinlogServer.table(search).cancel(false));
        assertTrue(search.isCancelled());
    }
}
