package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import io.tributary.testkit.server.RawClient;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logged-in clients that use as much as they can, on one event loop with a reader, which must not be affected. */
@Timeout(120)
class GreedyReaderTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long MEMORY = 8 << 20;
    private static final UUID REPLICA = UUID.fromString("11111111-2222-3333-4444-555555555555");

    @TempDir
    Path folder;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup clientLoops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final TaskStream task = new TaskStream(1, Optional.empty());
    private final Metrics metrics = new Metrics();
    private final List<MysqlConnection> open = new ArrayList<>();
    private Dumper dumper;
    private BinlogServer server;
    private BinlogStream stream;
    private long seen;

    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")).fileSize(50_000));
        write();
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            for (String user : List.of("repl", "greedy")) {
                users.put(
                        user,
                        new UserEntry(
                                user,
                                new LoginMethods(
                                        Optional.empty(),
                                        Optional.of(Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, "p")),
                                        Optional.empty()),
                                new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0),
                                TableFilter.ALL));
            }
            return users;
        });
        ServeConfig config = ServeSettings.of(
                "serve.user = admin",
                "serve.password = p",
                "serve.tls.enabled = false",
                "serve.session-memory = 2MiB",
                "serve.memory = 8MiB");
        server = ServeSettings.serve(folder.resolve("serve"), dumper.files(), loops, config, metrics);
        MysqlConnection connection = connect("repl");
        stream = dump(connection);
    }

    @AfterEach
    void theReaderGetsEverything() throws Exception {
        write();
        await("all transactions while greedy clients are connected", () -> {
            stream.poll(
                    (view, at, length) -> {
                        seen += EventHeader.type(view, at) == EventType.GTID_LOG_EVENT ? 1 : 0;
                        return true;
                    },
                    1 << 20);
            return seen == task.gno();
        });
        assertTrue(stream.isOpen());
        stream.close();
        open.forEach(MysqlConnection::close);
        await("all memory to be released", () -> held() == 0);
        server.close();
        dumper.close();
        for (EventLoopGroup group : List.of(loops, clientLoops)) {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        }
    }

    private void write() throws Exception {
        dumper.put(task.batch(30));
        dumper.put(task.cut());
        dumper.run();
    }

    private long held() {
        return (long) metrics.samples().stream()
                .filter(sample -> sample.name().equals(Metric.SERVE_MEMORY.text()))
                .findFirst()
                .orElseThrow()
                .value();
    }

    private MysqlConnection connect(String user) throws Exception {
        Endpoint endpoint =
                Endpoint.of("127.0.0.1", server.address().getPort(), user, "p").with(TlsMode.DISABLED);
        MysqlConnection connection =
                new MysqlClient(clientLoops).connect(endpoint).get(20, TimeUnit.SECONDS);
        open.add(connection);
        return connection;
    }

    private static BinlogStream dump(MysqlConnection connection) throws Exception {
        connection.query("SET @source_binlog_checksum = 'CRC32', @slave_uuid = '" + REPLICA + "'", LIMIT);
        return connection.await(connection.dump(BinlogDump.after(GtidSet.EMPTY, 9, REPLICA)), LIMIT);
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "timed out waiting for " + what);
            Thread.onSpinWait();
        }
    }

    private static int error(MysqlConnection connection, String sql) {
        return assertThrows(MysqlServerError.class, () -> connection.query(sql, LIMIT))
                .errorCode();
    }

    private static String text(int length) {
        return "'" + "x".repeat(length) + "'";
    }

    @Test
    void valuesMadeFromThemselvesAreBounded() throws Exception {
        MysqlConnection greedy = connect("greedy");
        greedy.query("SET @a = " + text(100_000), LIMIT);
        int code = 0;
        for (int i = 0; i < 30 && code == 0; i++) {
            try {
                greedy.query("SET @a = CONCAT(@a, @a)", LIMIT);
            } catch (MysqlServerError e) {
                code = e.errorCode();
            }
        }
        assertTrue(code == 1301 || code == 3170, "found " + code);
        int ofConcat = error(greedy, "SELECT CONCAT(" + "@a,".repeat(99) + "@a)");
        assertTrue(ofConcat == 1301 || ofConcat == 3170, "found " + ofConcat);
        assertEquals(3170, error(greedy, "SELECT " + "@a,".repeat(99) + "@a"));
        assertEquals(1117, error(greedy, "SELECT " + "1,".repeat(5_000) + "1"));
        assertEquals("1", greedy.query("SELECT 1", LIMIT).text(0, "1"));
    }

    @Test
    void thirtySessionsWithMuchMemoryLeaveEnoughForOthers() throws Exception {
        int refused = 0;
        for (int session = 0; session < 30; session++) {
            MysqlConnection greedy = connect("greedy");
            for (int i = 0; i < 20; i++) {
                try {
                    greedy.query("SET @v" + i + " = " + text(100_000), LIMIT);
                } catch (MysqlServerError e) {
                    assertEquals(3170, e.errorCode());
                    refused++;
                }
            }
        }
        assertTrue(refused > 400, "refused " + refused);
        assertTrue(held() <= MEMORY, "held " + held());
        MysqlConnection other = connect("repl");
        other.query("SET @master_heartbeat_period = 30000001024, @slave_uuid = 'x'", LIMIT);
        assertEquals("x", other.query("SELECT @slave_uuid", LIMIT).text(0, "@slave_uuid"));
    }

    @Test
    void piecesOfValuesAreBounded() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        byte[] piece = new byte[100_000];
        piece[0] = 0x18;
        piece[1] = 1;
        for (int session = 0; session < 30; session++) {
            Socket socket = RawClient.login(server.address().getPort(), "greedy", "p");
            sockets.add(socket);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(RawClient.packet(0, "\u0016SELECT ?".getBytes(StandardCharsets.UTF_8)));
            for (int i = 0; i < 10; i++) {
                out.writeBytes(RawClient.packet(0, piece));
            }
            out.writeBytes(RawClient.packet(0, new byte[] {0x0e}));
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
                try {
                    socket.getOutputStream().write(out.toByteArray());
                } catch (java.io.IOException refused) {
                    assertFalse(socket.isClosed());
                }
            });
            written.get(30, TimeUnit.SECONDS);
            assertTrue(held() <= MEMORY, "held " + held());
        }
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void aClientThatReadsNoAnswersGetsNoMore() throws Exception {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        int statements = 20_000;
        MysqlConnection other = connect("repl");
        CompletableFuture<Void> written;
        try (Socket socket = RawClient.login(server.address().getPort(), "greedy", "p")) {
            byte[] statement = RawClient.packet(0, "\u0003SHOW GLOBAL VARIABLES".getBytes(StandardCharsets.UTF_8));
            written = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 0; i < statements; i++) {
                        socket.getOutputStream().write(statement);
                    }
                } catch (java.io.IOException closed) {
                    assertTrue(socket.isClosed());
                }
            });
            for (int i = 0; i < 500; i++) { // each is a turn of the one event loop
                other.query("SELECT 1", LIMIT);
            }
            long more = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before;
            assertTrue(more <= 24 << 20, "answers that wait take " + more + " bytes");
        }
        written.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aLongStatementDoesNotDelayOthers() throws Exception {
        List<String> long1 = List.of(
                "SELECT " + "(".repeat(400_000),
                "SELECT " + "1,".repeat(400_000) + "1",
                "SET @a=1" + ",@a=1".repeat(150_000),
                "SELECT GTID_SUBSET('" + descending(60_000) + "', '" + descending(20_000) + "')",
                "SHOW VARIABLES LIKE '" + "%a".repeat(400_000) + "'",
                "SELECT " + "- ".repeat(400_000) + "1",
                "SELECT /*" + "*".repeat(900_000) + "*/ 1",
                "SET STATEMENT a=1" + ",a=1".repeat(200_000) + " FOR SELECT 1",
                "SELECT * FROM information_schema.TABLES WHERE " + "a AND ".repeat(100_000) + "b");
        MysqlConnection greedy = connect("greedy");
        MysqlConnection other = connect("repl");
        for (String sql : long1) {
            CompletableFuture<?> answer = greedy.query(sql);
            long longest = 0;
            while (!answer.isDone()) {
                long asked = System.nanoTime();
                other.query("SELECT 1", LIMIT);
                longest = Math.max(longest, System.nanoTime() - asked);
            }
            assertTrue(
                    longest < TimeUnit.SECONDS.toNanos(3),
                    "waited " + longest / 1_000_000 + " ms during " + sql.substring(0, 30));
        }
        assertEquals("1", greedy.query("SELECT 1", LIMIT).text(0, "1"));
    }

    private static String descending(int intervals) {
        StringBuilder text = new StringBuilder(REPLICA.toString());
        for (int i = intervals; i > 0; i--) {
            text.append(':').append(2 * i);
        }
        return text.toString();
    }

    @Test
    void anotherUsersReplicaIsNotEnded() throws Exception {
        MysqlConnection greedy = connect("greedy");
        try (BinlogStream refused = dump(greedy)) {
            await("the second one of that uuid to be refused", () -> {
                refused.poll((view, at, length) -> true, 1 << 20);
                return !refused.isOpen();
            });
        }
        assertTrue(stream.isOpen());
    }

    @Test
    void aSessionWithoutStatementsEndsAfterItsWaitTimeout() throws Exception {
        MysqlConnection idle = connect("greedy");
        idle.query("SET SESSION wait_timeout = 1", LIMIT);
        await("the idle session to be ended", () -> !idle.isOpen());
    }
}
