package io.tributary.mysql.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Peers that violate the protocol during the login: only their connection ends. */
final class HostileHandshakeTest {
    private static final Account USER = Account.withPassword("u", AuthMethod.CACHING_SHA2_PASSWORD, "p");
    private static final int GREETING_CAPABILITIES =
            Capabilities.PROTOCOL_41 | Capabilities.SECURE_CONNECTION | Capabilities.PLUGIN_AUTH;

    private Loopback loopback;

    @BeforeEach
    void start() {
        loopback = new Loopback(
                Loopback.settings(USER)
                        .with(Loopback.LIMITS
                                .with(Loopback.LIMITS.logins().with(64, Duration.ofMillis(500), false))
                                .with(new ServerSettings.Sessions(5, 0, 0, Duration.ofHours(8)))),
                new EchoHandler());
    }

    @AfterEach
    void stop() {
        try (MysqlConnection connection = loopback.connect("u", "p")) {
            assertEquals("alive", connection.query("alive", Loopback.DEADLINE).text(0, "text"));
        }
        loopback.close();
    }

    /** Sends bytes to the server after its greeting; returns the rest of its bytes until it closes. */
    private byte[] send(byte[] bytes) throws IOException {
        return send(bytes, true);
    }

    /** @param ends whether the client closes its output; otherwise it waits until it is disconnected */
    private byte[] send(byte[] bytes, boolean ends) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), loopback.server().address().getPort())) {
            socket.setSoTimeout((int) Loopback.DEADLINE.toMillis());
            InputStream in = socket.getInputStream();
            byte[] header = in.readNBytes(4);
            in.readNBytes(header[0] & 0xff);
            socket.getOutputStream().write(bytes);
            if (bytes.length > 0 && ends) {
                socket.shutdownOutput();
            }
            try {
                return in.readAllBytes();
            } catch (IOException reset) {
                return new byte[0];
            }
        }
    }

    private static byte[] hello(int capabilities) {
        ByteBuf out = Unpooled.buffer();
        out.writeZero(3).writeByte(1);
        out.writeIntLE(capabilities).writeIntLE(1 << 24).writeByte(45).writeZero(23);
        LengthEncoding.writeZeroEnded(out, "u");
        LengthEncoding.writeBytes(out, new byte[32]);
        LengthEncoding.writeZeroEnded(out, "db");
        LengthEncoding.writeZeroEnded(out, "caching_sha2_password");
        LengthEncoding.writeInteger(out, 10);
        LengthEncoding.writeString(out, "name");
        LengthEncoding.writeString(out, "test");
        out.setMediumLE(0, out.readableBytes() - 4);
        return ByteBufUtil.getBytes(out);
    }

    @Test
    void aTruncatedHelloIsNoLogin() throws IOException {
        byte[] whole = hello(-1 & ~Capabilities.SSL);
        assertArrayEquals(
                new byte[] {2, 0, 0, 2, 1, 4}, send(whole, false), "the proof is wrong: the password is asked for");
        for (int length = 0; length < whole.length - 4; length += length < 30 ? 7 : 1) {
            byte[] cut = Arrays.copyOf(whole, length + 4);
            cut[0] = (byte) length;
            send(cut);
            assertEquals(0, loopback.server().sessions().size());
        }
    }

    @Test
    void anOldClientIsABadHandshake() throws IOException {
        assertTrue(text(send(hello(Capabilities.LONG_PASSWORD))).contains("Bad handshake"));
    }

    @Test
    void aPacketThatIsTooLongBeforeTheLoginIsABadHandshake() throws IOException {
        assertTrue(text(send(new byte[] {0, 0, 2, 1})).contains("Bad handshake"));
    }

    @Test
    void noiseEndsTheConnection() throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 50; i++) {
            byte[] noise = new byte[200];
            random.nextBytes(noise);
            noise[1] = 0;
            noise[2] = 0;
            noise[3] = 1;
            send(noise);
            assertEquals(0, loopback.server().sessions().size());
        }
    }

    @Test
    void aSilentClientIsDisconnectedInTime() throws IOException {
        assertEquals(0, send(new byte[0]).length);
    }

    @Test
    void moreConnectionsThanAllowedAreRefused() {
        MysqlConnection[] all = new MysqlConnection[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = loopback.connect("u", "p");
        }
        MysqlServerError refused = assertThrows(
                MysqlServerError.class, () -> loopback.connect("u", "p").close());
        assertEquals(1040, refused.errorCode());
        for (MysqlConnection connection : all) {
            connection.close();
        }
        long deadline = System.nanoTime() + Loopback.DEADLINE.toNanos();
        while (!loopback.server().sessions().isEmpty()) {
            assertTrue(System.nanoTime() < deadline, "sessions do not end");
            Thread.onSpinWait();
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Lets the client log in to a peer that sends {@code bytes} and closes. */
    private TributaryException connectTo(byte[] bytes) throws IOException {
        try (ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> peerTask = CompletableFuture.runAsync(() -> {
                try (Socket socket = peer.accept()) {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            Endpoint endpoint =
                    Endpoint.of("127.0.0.1", peer.getLocalPort(), "u", "p").with(TlsMode.DISABLED);
            TributaryException failure = assertThrows(
                    TributaryException.class, () -> loopback.connect(endpoint).close());
            peerTask.exceptionally(reset -> null).join();
            return failure;
        }
    }

    private static byte[] greeting(int capabilities) {
        ByteBuf out = Unpooled.buffer();
        out.writeZero(4).writeByte(10);
        LengthEncoding.writeZeroEnded(out, "8.0.31");
        out.writeIntLE(9).writeZero(9).writeShortLE(capabilities).writeByte(45).writeShortLE(2);
        out.writeShortLE(capabilities >>> 16).writeByte(21).writeZero(10).writeZero(13);
        LengthEncoding.writeZeroEnded(out, "caching_sha2_password");
        out.setMediumLE(0, out.readableBytes() - 4);
        return ByteBufUtil.getBytes(out);
    }

    @Test
    void aPeerThatIsNotAMysqlServerIsNamed() throws IOException {
        assertEquals(
                ErrorCode.PROTOCOL_VIOLATED,
                connectTo("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII))
                        .code());
        assertEquals(
                ErrorCode.PROTOCOL_VIOLATED,
                connectTo(new byte[] {1, 0, 0, 0, 9}).code());
        assertEquals(
                ErrorCode.PROTOCOL_VIOLATED,
                connectTo(greeting(Capabilities.LONG_PASSWORD)).code());
        assertEquals(ErrorCode.SHARD_UNREACHABLE, connectTo(new byte[0]).code());
    }

    @Test
    void aTruncatedGreetingIsNoLogin() throws IOException {
        byte[] whole = greeting(GREETING_CAPABILITIES);
        for (int length = 0; length < whole.length - 4; length++) {
            byte[] cut = Arrays.copyOf(whole, length + 4);
            cut[0] = (byte) length;
            ErrorCode code = connectTo(cut).code();
            assertTrue(code == ErrorCode.PROTOCOL_VIOLATED || code == ErrorCode.SHARD_UNREACHABLE, code.name());
        }
    }

    @Test
    void anotherAuthenticationMethodIsNamed() throws IOException {
        byte[] ask = "\0\0\0\2\376sha256_password\0nonce".getBytes(StandardCharsets.ISO_8859_1);
        ask[0] = (byte) (ask.length - 4);
        byte[] greeting = greeting(GREETING_CAPABILITIES);
        byte[] both = Arrays.copyOf(greeting, greeting.length + ask.length);
        System.arraycopy(ask, 0, both, greeting.length, ask.length);
        TributaryException failure = connectTo(both);
        assertEquals(ErrorCode.SHARD_LOGIN_REFUSED, failure.code());
        assertTrue(failure.getMessage().contains("sha256_password"), failure.getMessage());
    }
}
