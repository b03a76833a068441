package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.Corpus;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import io.tributary.testkit.server.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Damaged commands of a logged-in client, and bytes of an unknown one, on a server with an empty binlog. Each is answered or ends the
 * connection, and the next client is served. bin/fuzz lets Jazzer search for more cases.
 */
class CommandFuzzTest {
    private static final int ROUNDS = 500;
    private static final int MAX_BYTES = 1 << 16;
    private static final byte[] PING = RawClient.packet(0, new byte[] {0x0e});
    private static final String USER = "raw";

    private static final EventLoopGroup LOOPS = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static Path folder;
    private static Dumper dumper;
    private static BinlogServer server;

    @BeforeAll
    static void serve() throws Exception {
        folder = Files.createTempDirectory("command-fuzz");
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")).fileSize(50_000));
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            Optional<PasswordHash> password = Optional.of(Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, "p"));
            Grant all = new Grant(Set.of(Right.values()), List.of(), 0, 0);
            users.put(
                    USER,
                    new UserEntry(
                            USER,
                            new LoginMethods(Optional.empty(), password, Optional.empty()),
                            all,
                            TableFilter.ALL));
            return users;
        });
        server = ServeSettings.serve(
                folder.resolve("serve"),
                dumper.files(),
                LOOPS,
                "serve.user = admin",
                "serve.password = p",
                "serve.tls.enabled = false");
    }

    @AfterAll
    static void close() throws Exception {
        server.close();
        dumper.close();
        LOOPS.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static int port() {
        return server.address().getPort();
    }

    @FuzzTest(maxDuration = "60s")
    void commands(byte[] payload) {
        BugDetectors.allowNetworkConnections(); // to the server of this test
        byte[] bounded = Arrays.copyOf(payload, Math.min(payload.length, MAX_BYTES));
        try (Socket socket = RawClient.login(port(), USER, "p")) {
            socket.getOutputStream().write(RawClient.packet(0, bounded));
            socket.shutdownOutput();
            readToEnd(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requireServed();
    }

    @FuzzTest(maxDuration = "60s")
    void strangers(byte[] bytes) {
        BugDetectors.allowNetworkConnections(); // to the server of this test
        byte[] bounded = Arrays.copyOf(bytes, Math.min(bytes.length, MAX_BYTES));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream().write(bounded);
            socket.shutdownOutput();
            readToEnd(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requireServed();
    }

    /** Reads to the end; a server that does not read all input resets the connection. */
    private static void readToEnd(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[1 << 14];
        try {
            int read = in.read(buffer);
            while (read >= 0) {
                read = in.read(buffer);
            }
        } catch (java.net.SocketException reset) {
            // it has ended too
        }
    }

    private static void requireServed() {
        try (Socket socket = RawClient.login(port(), USER, "p")) {
            socket.getOutputStream().write(PING);
            assertEquals(0, RawClient.answer(socket.getInputStream())[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void changedCommandsAreAnsweredOrEndTheConnection() {
        Corpus.of(CommandFuzzTest.class, "commands").mutate(1, ROUNDS, this::commands);
        Corpus.of(CommandFuzzTest.class, "strangers").mutate(2, ROUNDS, this::strangers);
    }

    /** All command numbers, with and without further bytes. */
    @Test
    void everyCommandIsAnsweredOrEndsTheConnection() {
        for (int command = 0; command < 256; command++) {
            for (int length : List.of(1, 5, 40)) {
                byte[] payload = new byte[length];
                payload[0] = (byte) command;
                commands(payload);
            }
        }
    }
}
