package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.gtid.GtidSet;
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
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import io.tributary.testkit.server.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logged-in clients that send invalid commands: their connections end, and another reader is not affected. */
@Timeout(60)
class HostileReaderTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int ROUNDS = 400;

    @TempDir
    Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final TaskStream task = new TaskStream(1, Optional.empty());
    private Dumper dumper;
    private BinlogServer server;

    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")).fileSize(50_000));
        write();
        Grant grant = new Grant(Set.of(Right.REPLICATION), List.of(), 0, 0);
        UserEntry hostile = new UserEntry(
                "hostile",
                new LoginMethods(
                        Optional.empty(),
                        Optional.of(Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, "p")),
                        Optional.empty()),
                grant,
                TableFilter.ALL);
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            users.put("hostile", hostile);
            return users;
        });
        server = ServeSettings.serve(
                folder.resolve("serve"),
                dumper.files(),
                group,
                "serve.user = reader",
                "serve.password = p",
                "serve.tls.enabled = false");
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    private void write() throws Exception {
        dumper.put(task.batch(30));
        dumper.put(task.cut());
        dumper.run();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static byte[] text(int command, String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(command);
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    /** Valid commands of clients. */
    private static final List<byte[]> COMMANDS = List.of(
            text(3, "SET @master_binlog_checksum = @@global.binlog_checksum"),
            text(3, "SELECT @@global.gtid_executed, UUID(), 'x'"),
            text(2, "shop"),
            hex("12 04000000 0200 66000000 62696e6c6f672e303030303031"),
            hex("1e 0200 66000000 00000000 0400000000000000 08000000 0000000000000000"),
            hex("1e 0500 66000000 03000000 000000 0400000000000000 30000000 0100000000000000"
                    + "3e11fa4771ca11e19e33c80aa9429562 0100000000000000 0100000000000000 0500000000000000"),
            hex("15 66000000 00 00 00 ea0c 00000000 00000000"),
            hex("0c ffff0000"),
            hex("1b 0000"),
            hex("0e"),
            hex("1f"),
            text(0x16, "SELECT ?"),
            hex("17 01000000 00 01000000"),
            hex("19 01000000"));

    private static byte[] changed(byte[] input, Random random) {
        byte[] result = input.clone();
        if (result.length == 0) {
            return result;
        }
        int at = random.nextInt(result.length);
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(result, at);
            case 1 -> {
                byte[] longer = Arrays.copyOf(result, result.length + random.nextInt(20));
                Arrays.fill(longer, result.length, longer.length, (byte) random.nextInt(256));
                yield longer;
            }
            case 2 -> {
                result[at] = (byte) (random.nextBoolean() ? 0xff : random.nextInt(256));
                yield result;
            }
            default -> result;
        };
    }

    private Socket login() throws IOException {
        return RawClient.login(server.address().getPort(), "hostile", "p");
    }

    /** Sends a few changed commands and then ends; reads what the server sends meanwhile. */
    private void sendInvalid(Random random) throws IOException {
        try (Socket socket = login()) {
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                byte[] command = changed(COMMANDS.get(random.nextInt(COMMANDS.size())), random);
                byte[] packet = RawClient.packet(0, command);
                socket.getOutputStream().write(random.nextInt(4) == 0 ? changed(packet, random) : packet);
            }
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException reset) {
            assertTrue(!(reset instanceof java.net.SocketTimeoutException), "the server neither answers nor closes");
        }
    }

    @Test
    void nonsenseEndsItsOwnConnectionAndNothingElse() throws Exception {
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.address().getPort(), "reader", "p");
        long[] seen = new long[1];
        try (MysqlConnection connection =
                        new MysqlClient(group).connect(endpoint).get(20, TimeUnit.SECONDS);
                BinlogStream stream = connection.await(
                        connection.dump(BinlogDump.after(GtidSet.EMPTY, 9, UUID.randomUUID())), LIMIT)) {
            long seed = 23;
            Random random = new Random(seed);
            for (int i = 0; i < ROUNDS; i++) {
                sendInvalid(random);
                if (i % 100 == 0) {
                    write();
                }
            }
            await("all transactions during invalid commands of seed " + seed, () -> {
                stream.poll(
                        (view, at, length) -> {
                            seen[0] += EventHeader.type(view, at) == EventType.GTID_LOG_EVENT ? 1 : 0;
                            return true;
                        },
                        1 << 20);
                return seen[0] == task.gno();
            });
            assertTrue(stream.isOpen());
            assertEquals(1, seen[0] / task.gno());
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "timed out waiting for " + what);
            Thread.onSpinWait();
        }
    }

    @Test
    void aMalformedCommandIsAnErrorAndEndsTheConnection() throws Exception {
        for (String malformed : new String[] {
            "12 04000000",
            "1e 0200 66000000 ff000000 00",
            "15 66000000 05 41",
            "0c 01",
            "",
            "1e 0200 66000000 00000000 0400000000000000 08000000 0500000000000000"
        }) {
            try (Socket socket = login()) {
                socket.getOutputStream().write(RawClient.packet(0, hex(malformed)));
                byte[] sent = socket.getInputStream().readAllBytes();
                assertTrue(sent.length > 7 && (sent[4] & 0xff) == 0xff, malformed);
                assertEquals(1835, (sent[5] & 0xff) | (sent[6] & 0xff) << 8, malformed);
                assertEquals(sent.length, (sent[0] & 0xff) + 4, "nothing after it");
            }
        }
    }
}
