package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that speaks S3, with signatures checked. */
class S3ObjectStoreTest {
    private static final int PART = 5 << 20;

    @TempDir
    private static Path folder;

    private static S3Proxy server;

    private final Random random = new Random(7);
    private S3ObjectStore store;

    @BeforeAll
    static void startServer() throws Exception {
        Files.createDirectories(folder.resolve("binlogs"));
        server = S3Proxy.builder()
                .blobStore(new FilesystemNio2BlobStore(folder.toString()))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, "key", "secret")
                .build();
        server.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.stop();
    }

    @BeforeEach
    void open() {
        store = new S3ObjectStore(config("binlogs", "secret", server.getPort()));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static S3Config config(String bucket, String secret, int port) {
        return new S3Config(
                Optional.of(bucket),
                Optional.of("http://127.0.0.1:" + port),
                "us-east-1",
                Optional.of("key"),
                Optional.of(new Secret(secret)),
                new ByteSize(PART),
                3,
                Duration.ofSeconds(30));
    }

    private byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private void put(String name, byte[] content, Map<String, String> metadata) {
        try (ObjectStore.Upload upload = store.begin(name, metadata)) {
            for (int at = 0; at < content.length; at += 1_000_003) {
                upload.write(ByteBuffer.wrap(content, at, Math.min(1_000_003, content.length - at)));
            }
            upload.finish();
        }
    }

    private byte[] get(String name) {
        ByteBuffer into = ByteBuffer.allocate(store.size(name).orElseThrow().intValue() + 10);
        while (store.read(name, into.position(), into) > 0) {}
        byte[] bytes = new byte[into.flip().remaining()];
        into.get(bytes);
        return bytes;
    }

    @Test
    void givesBackWhatItGotWhateverItsSize() {
        for (int size : new int[] {0, 1, PART - 1, PART, PART + 1, 4 * PART, 7 * PART + 12_345}) {
            byte[] content = bytes(size);
            put("a/" + size, content, Map.of("sha256", "s" + size, "first-gno", "7"));
            assertEquals(Optional.of((long) size), store.size("a/" + size));
            assertArrayEquals(content, get("a/" + size), "of " + size + " bytes");
            assertEquals("s" + size, store.metadata("a/" + size).get("sha256"));
            assertEquals("7", store.metadata("a/" + size).get("first-gno"));
        }
    }

    @Test
    void readsFromAnyOffsetUpToTheEnd() {
        byte[] content = bytes(100);
        put("ranged", content, Map.of());
        ByteBuffer into = ByteBuffer.allocate(30);
        assertEquals(30, store.read("ranged", 60, into));
        assertArrayEquals(java.util.Arrays.copyOfRange(content, 60, 90), into.array());
        assertEquals(10, store.read("ranged", 90, into.clear()));
        assertEquals(-1, store.read("ranged", 100, into.clear()));
    }

    @Test
    void replacesAndDeletesWholeObjects() {
        store.replace("list/b", new byte[] {1});
        store.replace("list/a", new byte[] {2});
        store.replace("list/a", new byte[] {3, 4});
        assertEquals(List.of("list/a", "list/b"), store.list("list/"));
        assertArrayEquals(new byte[] {3, 4}, get("list/a"));
        store.delete("list/a");
        store.delete("list/a");
        assertEquals(List.of("list/b"), store.list("list/"));
        assertEquals(Optional.empty(), store.size("list/a"));
        assertEquals(Map.of(), store.metadata("list/a"));
    }

    @Test
    void nothingRemainsOfAnUploadThatIsNotFinished() {
        try (ObjectStore.Upload upload = store.begin("unfinished", Map.of())) {
            upload.write(ByteBuffer.wrap(bytes(3 * PART)));
        }
        assertEquals(Optional.empty(), store.size("unfinished"));
        assertTrue(uploads().isEmpty());
    }

    @Test
    void anUploadThatACrashLeftIsEndedBeforeTheNext() {
        S3ObjectStore crashed = new S3ObjectStore(config("binlogs", "secret", server.getPort()));
        ObjectStore.Upload left = crashed.begin("twice", Map.of());
        left.write(ByteBuffer.wrap(bytes(2 * PART + 1))); // never closed, as after a kill
        assertEquals(List.of("twice"), uploads());
        byte[] content = bytes(3 * PART);
        put("twice", content, Map.of());
        assertArrayEquals(content, get("twice"));
        assertTrue(uploads().isEmpty());
        crashed.close();
    }

    private List<String> uploads() {
        return store.client().listMultipartUploads(ask -> ask.bucket("binlogs")).uploads().stream()
                .map(upload -> upload.key())
                .toList();
    }

    @Test
    void aStoreWithoutRightsOrBucketOrAnswerIsAClearError() {
        assertFails(config("binlogs", "wrong", server.getPort()), "403");
        for (int i = 0;
                i < 20;
                i++) { // the store answers before it has been sent everything: that must not hide its answer
            assertFails(config("missing", "secret", server.getPort()), "404");
        }
        assertFails(config("binlogs", "secret", 1), "Unable to execute HTTP request");
        assertFalse(store.list("").contains("x"));
    }

    private static void assertFails(S3Config config, String why) {
        try (S3ObjectStore refused = new S3ObjectStore(config)) {
            TributaryException failure =
                    assertThrows(TributaryException.class, () -> refused.replace("x", new byte[] {1}));
            assertEquals(ErrorCode.BACKUP_FAILED, failure.code());
            assertTrue(failure.getMessage().contains(why), failure.getMessage());
            assertTrue(
                    failure.getMessage()
                            .startsWith("s3://" + config.bucket().orElseThrow() + "/x: expected to send it"),
                    failure.getMessage());
        }
    }

    /** Reads the head of each request and hangs up, as a store does that is ended or cut off. */
    private static void hangUp(ServerSocket socket) {
        try {
            while (true) {
                try (Socket caller = socket.accept()) {
                    BufferedReader head = new BufferedReader(
                            new InputStreamReader(caller.getInputStream(), StandardCharsets.ISO_8859_1));
                    String line = head.readLine();
                    while (line != null && !line.isEmpty()) {
                        line = head.readLine();
                    }
                }
            }
        } catch (IOException e) {
            // the test has closed the socket
        }
    }

    @Test
    void aStoreThatHangsUpFailsTheBackupAndNotTheNode() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread hanging = new Thread(() -> hangUp(socket), "hangs-up");
            hanging.start();
            S3Config config = config("binlogs", "secret", socket.getLocalPort());
            try (S3ObjectStore cutOff = new S3ObjectStore(config)) {
                byte[] large = bytes(PART / 2); // asks for "100 Continue" first
                TributaryException failure = assertThrows(TributaryException.class, () -> cutOff.replace("x", large));
                assertEquals(ErrorCode.BACKUP_FAILED, failure.code(), failure.getMessage());
            }
        }
    }

    @Test
    void halfAKeyOrAnEndpointThatIsNoneIsRefusedAtOnce() {
        S3Config whole = config("binlogs", "secret", 1);
        assertInvalid(
                new S3Config(
                        whole.bucket(),
                        whole.endpoint(),
                        "r",
                        whole.accessKey(),
                        Optional.empty(),
                        whole.part(),
                        1,
                        whole.timeout()),
                "backup.s3.secret-key");
        assertInvalid(
                new S3Config(
                        whole.bucket(),
                        Optional.of("nowhere"),
                        "r",
                        whole.accessKey(),
                        whole.secretKey(),
                        whole.part(),
                        1,
                        whole.timeout()),
                "backup.s3.endpoint");
    }

    private static void assertInvalid(S3Config config, String key) {
        TributaryException failure = assertThrows(TributaryException.class, () -> new S3ObjectStore(config));
        assertEquals(ErrorCode.CONFIG_INVALID, failure.code());
        assertTrue(failure.getMessage().contains(key), failure.getMessage());
    }
}
