package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed connections of mysql and mysqlbinlog 9, of Connector/J, and damaged packets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class CompressionTest {
    private static final int COMPRESS = 1 << 5;
    private static final int PING = 0x0e;
    private static final int QUERY = 3;

    @TempDir
    private static Path folder;

    private ServedBinlog binlog;

    @BeforeAll
    void start() throws Exception {
        binlog = new ServedBinlog(folder.resolve("served"), ServedBinlog.DUMPS, "serve.native-password = true");
        binlog.fill(3);
        binlog.writeLarge(3, 7 << 20).write(10);
    }

    @AfterAll
    void end() {
        binlog.close();
    }

    private List<String> connected(String program, String... more) {
        List<String> command =
                new ArrayList<>(MysqlRelease.MYSQL_9.distribution().program(program));
        command.addAll(List.of(
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + binlog.port(),
                "--user=reader",
                "--password=secret",
                "--get-server-public-key"));
        command.addAll(List.of(more));
        return command;
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "zstd"})
    void mysqlAsksOverACompressedConnection(String algorithm) {
        for (String tls : List.of("DISABLED", "REQUIRED")) {
            MysqlTools.Outcome outcome = MysqlTools.run(connected(
                    "mysql",
                    "--compression-algorithms=" + algorithm,
                    "--ssl-mode=" + tls,
                    "--skip-column-names",
                    "--execute",
                    "SHOW STATUS LIKE 'Compression%'; SHOW VARIABLES; SELECT 'last'; DROP TABLE t"));
            assertTrue(outcome.output().contains("Compression\tON\n"), outcome.output());
            assertTrue(outcome.output().contains("Compression_algorithm\t" + algorithm + "\n"), outcome.output());
            assertTrue(outcome.output().contains("\nlast\n"), outcome.output());
            assertTrue(outcome.output().contains("ERROR 1290 (HY000)"), outcome.output());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "zstd", "uncompressed"})
    void mysqlbinlogReadsTheFilesOverACompressedConnection(String algorithm) throws Exception {
        Path raw = Files.createDirectory(folder.resolve("raw-" + algorithm));
        MysqlTools.Outcome outcome = MysqlTools.run(connected(
                "mysqlbinlog",
                "--compression-algorithms=" + algorithm,
                "--zstd-compression-level=19",
                "--read-from-remote-server",
                "--raw",
                "--to-last-log",
                "--result-file=" + raw + "/",
                binlog.files().first().name()));
        assertEquals(0, outcome.status(), outcome.output());
        for (var file : binlog.files().list()) {
            byte[] expected = Files.readAllBytes(file.path());
            byte[] read = Files.readAllBytes(raw.resolve(file.name()));
            assertTrue(read.length <= expected.length && read.length > 1000, file + ": " + read.length);
            read[21] = expected[21]; // the flag of a file that is in use
            assertArrayEquals(Arrays.copyOf(expected, 4), Arrays.copyOf(read, 4));
            assertEquals(-1, Arrays.mismatch(read, 300, read.length, expected, 300, read.length), file.name());
        }
    }

    @Test
    void connectorJAsksOverACompressedConnection() throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + binlog.port()
                                + "/?allowPublicKeyRetrieval=true&sslMode=DISABLED&useCompression=true",
                        "reader",
                        "secret");
                Statement statement = connection.createStatement()) {
            for (int length : new int[] {1, 49, 50, 300_000, 900_000}) {
                try (ResultSet rows = statement.executeQuery("SELECT '" + "x".repeat(length) + "'")) {
                    assertTrue(rows.next());
                    assertEquals(length, rows.getString(1).length());
                }
            }
        }
    }

    private static Connection connected(ServedBinlog to) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + to.port()
                        + "/?allowPublicKeyRetrieval=true&sslMode=DISABLED&useCompression=true",
                "reader",
                "secret");
    }

    private static boolean isCompressed(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW STATUS LIKE 'Compression'")) {
            assertTrue(rows.next());
            return rows.getString(2).equals("ON");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void onlySoManyConnectionsAreCompressed(int most) throws Exception {
        try (ServedBinlog other = new ServedBinlog(
                folder.resolve("most" + most), ServedBinlog.DUMPS, "serve.compressed-connections = " + most)) {
            other.write(1);
            List<Connection> open = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                open.add(connected(other));
                assertTrue(isCompressed(open.get(i)));
            }
            try (Connection another = connected(other)) {
                assertFalse(isCompressed(another));
            }
            for (Connection each : open) {
                each.close();
            }
            Await.until("room for a compressed connection", Duration.ofSeconds(10), () -> {
                try (Connection another = connected(other)) {
                    return isCompressed(another) == (most > 0);
                }
            });
        }
    }

    // ---- packets

    private Socket compressed() throws Exception {
        return RawClient.login(binlog.port(), "reader", "secret", COMPRESS);
    }

    private static byte[] zlib(byte[] content) {
        Deflater deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] part = new byte[1 << 16];
        while (!deflater.finished()) {
            out.write(part, 0, deflater.deflate(part));
        }
        deflater.end();
        return out.toByteArray();
    }

    /** A compressed packet; {@code plain} is the length of its content in the header. */
    private static byte[] packet(int id, byte[] data, int plain) {
        byte[] packet = new byte[7 + data.length];
        for (int i = 0; i < 3; i++) {
            packet[i] = (byte) (data.length >> 8 * i);
            packet[4 + i] = (byte) (plain >> 8 * i);
        }
        packet[3] = (byte) id;
        System.arraycopy(data, 0, packet, 7, data.length);
        return packet;
    }

    /** The payload of the packet in the next compressed packet. */
    private static byte[] answer(Socket socket) throws Exception {
        InputStream in = socket.getInputStream();
        byte[] header = in.readNBytes(7);
        assertEquals(7, header.length, "an answer before the end of the connection");
        byte[] data = in.readNBytes(header[0] & 0xff | (header[1] & 0xff) << 8);
        int plain = header[4] & 0xff | (header[5] & 0xff) << 8;
        byte[] content = plain == 0 ? data : new byte[plain];
        if (plain > 0) {
            Inflater inflater = new Inflater();
            inflater.setInput(data);
            assertEquals(plain, inflater.inflate(content));
            inflater.end();
        }
        return Arrays.copyOfRange(content, 4, content.length);
    }

    private static byte[] ping() {
        return RawClient.packet(0, new byte[] {PING});
    }

    @Test
    void aCommandMayArriveInAnyPieces() throws Exception {
        byte[] sql = (" SELECT '" + "y".repeat(100_000) + "' INTO x").getBytes(StandardCharsets.UTF_8);
        sql[0] = QUERY;
        byte[] command = RawClient.packet(0, sql);
        try (Socket socket = compressed()) {
            for (byte[] sent : List.of(packet(0, command, 0), packet(0, zlib(command), command.length))) {
                for (int at = 0; at < sent.length; at += 7_001) {
                    socket.getOutputStream().write(sent, at, Math.min(7_001, sent.length - at));
                    socket.getOutputStream().flush();
                }
                assertEquals(1064, RawClient.error(answer(socket)));
            }
            byte[] first = Arrays.copyOf(command, 50_000);
            byte[] second = Arrays.copyOfRange(command, 50_000, command.length);
            socket.getOutputStream().write(packet(0, zlib(first), first.length));
            socket.getOutputStream().write(packet(1, zlib(second), second.length));
            assertEquals(1064, RawClient.error(answer(socket)));
            socket.getOutputStream().write(packet(0, ping(), 0));
            assertEquals(0, answer(socket)[0]);
        }
    }

    @Test
    void aDamagedPacketIsAnsweredWithTheReason() throws Exception {
        byte[] content = new byte[2_000];
        Arrays.fill(content, (byte) 7);
        byte[] zlib = zlib(content);
        byte[] changed = zlib.clone();
        changed[zlib.length / 2] ^= 0x55;
        for (byte[] sent : List.of(
                packet(0, changed, content.length),
                packet(0, new byte[100], 200),
                packet(0, zlib, content.length - 1),
                packet(0, zlib, content.length + 1),
                packet(0, Arrays.copyOf(zlib, zlib.length - 5), content.length),
                packet(0, Arrays.copyOf(zlib, zlib.length + 5), content.length),
                packet(0, new byte[0], 5),
                packet(9, ping(), 0))) {
            try (Socket socket = compressed()) {
                socket.getOutputStream().write(sent);
                byte[] answer = answer(socket);
                String message = new String(answer, StandardCharsets.UTF_8);
                assertTrue(
                        RawClient.error(answer) == 1157 || RawClient.error(answer) == 1835,
                        RawClient.error(answer) + " " + message);
                assertTrue(message.contains("expected"), message);
                assertEquals(-1, socket.getInputStream().read(), "the connection has ended");
            }
        }
    }

    /** 16 MiB of zeros in 16 KB, ten times: a statement that is too long costs no memory, and many commands in a packet wait in it. */
    @Test
    void aSmallPacketWithMuchContentCostsNoMemory() throws Exception {
        byte[] content = new byte[0xffffff];
        content[0] = content[1] = (byte) 0xf0;
        content[2] = (byte) 0xff; // one packet of 16 MiB less 4 KiB
        content[4] = QUERY;
        byte[] bomb = zlib(content);
        assertTrue(bomb.length < 20_000, "length " + bomb.length);
        try (Socket socket = compressed()) {
            byte[] one = Arrays.copyOf(content, 0xfff0f0 + 4);
            byte[] sent = packet(0, zlib(one), one.length);
            for (int i = 0; i < 10; i++) {
                socket.getOutputStream().write(sent);
                assertEquals(1153, RawClient.error(answer(socket)));
            }
            assertTrue(binlog.metric("tributary_serve_memory") < 1 << 20);
            byte[] pings = new byte[100_000];
            for (int at = 0; at < pings.length; at += 5) {
                System.arraycopy(ping(), 0, pings, at, 5);
            }
            socket.getOutputStream().write(packet(0, zlib(pings), pings.length));
            for (int at = 0; at < pings.length; at += 5) {
                assertEquals(0, answer(socket)[0]);
            }
        }
    }
}
