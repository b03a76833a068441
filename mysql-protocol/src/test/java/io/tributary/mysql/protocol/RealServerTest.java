package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.EventConsumer;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.mysql.protocol.client.TlsMode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tributary's client against a real MySQL server. */
final class RealServerTest {
    private static final int HEARTBEAT_V2 = 41;
    private static final int ARTIFICIAL = 0x20;

    @TempDir
    static Path directory;

    private static RealMysqld mysqld;
    private static EventLoopGroup group;

    @BeforeAll
    static void start() throws Exception {
        mysqld = RealMysqld.in(directory);
        group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (MysqlConnection root = connect("root", "", TlsMode.PREFERRED)) {
            for (String sql : new String[] {
                "CREATE USER sha2 IDENTIFIED WITH caching_sha2_password BY 'pässword'",
                "CREATE USER native IDENTIFIED WITH mysql_native_password BY 'pässword'",
                "CREATE USER secure IDENTIFIED WITH caching_sha2_password BY 'pässword' REQUIRE SSL",
                "GRANT ALL ON *.* TO sha2, native, secure"
            }) {
                root.query(sql, Loopback.DEADLINE);
            }
        }
    }

    @AfterAll
    static void stop() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        mysqld.close();
    }

    private static MysqlConnection connect(String user, String password, TlsMode mode) {
        return Answers.of(new MysqlClient(group)
                .connect(Endpoint.of("127.0.0.1", mysqld.port(), user, password).with(mode)));
    }

    private static QueryResult ask(MysqlConnection connection, String sql) {
        return connection.query(sql, Loopback.DEADLINE);
    }

    @Test
    void bothMethodsLogInWithAndWithoutTls() {
        for (TlsMode mode : new TlsMode[] {TlsMode.DISABLED, TlsMode.PREFERRED, TlsMode.REQUIRED}) {
            for (String user : new String[] {"sha2", "native"}) {
                try (MysqlConnection root = connect("root", "", TlsMode.REQUIRED)) {
                    ask(root, "FLUSH PRIVILEGES"); // empties the cache: the next login takes the full path
                }
                for (int twice = 0; twice < 2; twice++) {
                    try (MysqlConnection connection = connect(user, "pässword", mode)) {
                        assertEquals(mode != TlsMode.DISABLED, connection.isEncrypted());
                        assertEquals("8.0.31", connection.serverVersion());
                        QueryResult who = ask(connection, "SELECT CONNECTION_ID() AS id, CURRENT_USER() AS user");
                        assertEquals(Long.toString(connection.threadId()), who.text(0, "id"));
                        assertEquals(user + "@%", who.text(0, "user"));
                    }
                }
                assertEquals(
                        1045,
                        assertThrows(
                                        MysqlServerError.class,
                                        () -> connect(user, "wrong", mode).close())
                                .errorCode());
            }
        }
    }

    @Test
    void aServerThatRequiresTlsAcceptsIt() {
        connect("secure", "pässword", TlsMode.PREFERRED).close();
        MysqlServerError refused = assertThrows(
                MysqlServerError.class,
                () -> connect("secure", "pässword", TlsMode.DISABLED).close());
        assertEquals(1045, refused.errorCode());
    }

    @Test
    void answersAreReadCorrectly() {
        try (MysqlConnection connection = connect("sha2", "pässword", TlsMode.DISABLED)) {
            QueryResult one = ask(connection, "SELECT 1 AS one, NULL AS nothing, '' AS blank, 'größe' AS text");
            assertEquals("1", one.text(0, "one"));
            assertNull(one.text(0, "nothing"));
            assertEquals("", one.text(0, "blank"));
            assertEquals("größe", one.text(0, "text"));
            MysqlServerError error = assertThrows(MysqlServerError.class, () -> ask(connection, "SELEKT"));
            assertEquals(1064, error.errorCode());
            assertEquals("42000", error.sqlState());
            assertEquals(1, ask(connection, "SELECT 1/0").warnings());
            assertTrue(ask(connection, "SHOW VARIABLES").rows().size() > 300);
            assertTrue(ask(connection, "SELECT 1 FROM DUAL WHERE FALSE").isEmpty());
            int length = 17_000_000;
            QueryResult large = ask(connection, "SELECT REPEAT('x', " + length + "), 'behind'");
            assertEquals(length, large.rows().get(0).bytes(0).length);
            assertEquals("behind", large.rows().get(0).text(1));
            assertTrue(Answers.of(connection.ping()).isEmpty());
        }
    }

    @Test
    void aDumpReturnsTheFileByteForByte() throws Exception {
        try (MysqlConnection work = connect("sha2", "pässword", TlsMode.DISABLED)) {
            ask(work, "CREATE DATABASE shop");
            ask(work, "CREATE TABLE shop.t (id INT PRIMARY KEY, v LONGBLOB)");
            for (int id = 1; id < 50; id++) {
                assertEquals(
                        1,
                        ask(work, "INSERT INTO shop.t VALUES (" + id + ", REPEAT('x', " + id * id * 10 + "))")
                                .affectedRows());
            }
            ask(work, "INSERT INTO shop.t VALUES (50, REPEAT('y', 40000000))");
            String file = ask(work, "SHOW MASTER STATUS").text(0, "File");
            BinlogDump byGtid = BinlogDump.after(GtidSet.EMPTY, 4711, UUID.randomUUID());
            byte[] inFile = Files.readAllBytes(mysqld.datadir().resolve(file));
            for (TlsMode mode : new TlsMode[] {TlsMode.DISABLED, TlsMode.REQUIRED}) {
                for (BinlogDump dump : new BinlogDump[] {
                    byGtid, BinlogDump.from(file, 4, 4712, UUID.randomUUID()).withBounds(1 << 16, 1 << 30)
                }) {
                    ByteArrayOutputStream received = new ByteArrayOutputStream();
                    received.write(inFile, 0, 4);
                    StreamEnd end = readAll(mode, dump.withoutWaiting(), (view, at, length) -> {
                        if ((LittleEndian.getU16(view, at + 17) & ARTIFICIAL) == 0 && view.get(at + 4) != 27) {
                            append(received, view, at, length);
                        }
                        return true;
                    });
                    assertInstanceOf(StreamEnd.Finished.class, end, end.toString());
                    byte[] bytes = received.toByteArray();
                    assertTrue(Arrays.equals(inFile, 26, inFile.length, bytes, 26, bytes.length));
                }
            }
        }
    }

    private static void append(ByteArrayOutputStream to, ByteBuffer view, int at, int length) {
        byte[] event = new byte[length];
        view.get(at, event);
        to.writeBytes(event);
    }

    private static StreamEnd readAll(TlsMode mode, BinlogDump dump, EventConsumer consumer) {
        try (MysqlConnection connection = connect("native", "pässword", mode);
                BinlogStream stream = Answers.of(connection.dump(dump))) {
            assertTrue(stream.checksummed());
            long deadline = System.nanoTime() + Loopback.DEADLINE.toNanos();
            while (stream.isOpen() && System.nanoTime() < deadline) {
                if (stream.poll(consumer, 1 << 20) == 0) {
                    Thread.onSpinWait();
                }
            }
            return stream.end()
                    .orElseThrow(() -> new AssertionError("no end within " + Loopback.DEADLINE + ": "
                            + stream.takenBytes() + " bytes taken, " + stream.queuedBytes() + " queued"));
        }
    }

    @Test
    void aPositionThatDoesNotExistIsRefusedWith1236() {
        StreamEnd end = readAll(
                TlsMode.DISABLED,
                BinlogDump.from("binlog.009999", 4, 4713, UUID.randomUUID()),
                (view, at, length) -> true);
        StreamEnd.Refused refused = assertInstanceOf(StreamEnd.Refused.class, end, end.toString());
        assertEquals(1236, refused.error().errorCode());
        assertEquals("HY000", refused.error().sqlState());
    }

    @Test
    void aWaitingDumpReceivesHeartbeatsUntilItIsKilled() {
        BinlogDump dump =
                BinlogDump.after(GtidSet.EMPTY, 4714, UUID.randomUUID()).withHeartbeat(Duration.ofMillis(50));
        try (MysqlConnection killer = connect("sha2", "pässword", TlsMode.DISABLED);
                MysqlConnection connection = connect("sha2", "pässword", TlsMode.DISABLED);
                BinlogStream stream = Answers.of(connection.dump(dump))) {
            int[] heartbeats = new int[1];
            long deadline = System.nanoTime() + Loopback.DEADLINE.toNanos();
            boolean killed = false;
            while (stream.isOpen()) {
                stream.poll(
                        (view, at, length) -> {
                            heartbeats[0] += view.get(at + 4) == HEARTBEAT_V2 ? 1 : 0;
                            return true;
                        },
                        1 << 20);
                if (heartbeats[0] >= 3 && !killed) {
                    ask(killer, "KILL " + connection.threadId());
                    killed = true;
                }
                assertTrue(System.nanoTime() < deadline, heartbeats[0] + " heartbeats, killed: " + killed);
            }
            assertFalse(stream.end().orElseThrow() instanceof StreamEnd.Finished);
        }
    }
}
