package io.tributary.backup.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupConfigs;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.BackupSource;
import io.tributary.backup.BackupStage;
import io.tributary.backup.BackupState;
import io.tributary.backup.BackupTarget;
import io.tributary.backup.BackupTurn;
import io.tributary.backup.Counters;
import io.tributary.backup.FileEncryption;
import io.tributary.backup.LocalFiles;
import io.tributary.backup.Progress;
import io.tributary.backup.Restore;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.testkit.Await;
import io.tributary.testkit.ManualClock;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.hc.client5.http.impl.InMemoryDnsResolver;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** Tests against a server that implements S3 and checks signatures. */
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
                true,
                "us-east-1",
                Optional.of("key"),
                Optional.of(new Secret(secret)),
                new ByteSize(PART),
                4,
                Duration.ofSeconds(30));
    }

    /** The server takes the bucket from the name of the host; a request with the bucket in the path asks for another object. */
    @Test
    void theBucketIsInThePathOrBeforeTheHost() throws Exception {
        S3Proxy named = S3Proxy.builder()
                .blobStore(new FilesystemNio2BlobStore(folder.toString()))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, "key", "secret")
                .virtualHost("store.example")
                .build();
        named.start();
        try {
            byte[] content = bytes(PART + 1);
            try (S3ObjectStore before = named("store.example", named.getPort(), false)) {
                store.close();
                store = before;
                put("deep/by-host", content, Map.of());
                assertArrayEquals(content, get("deep/by-host"));
                assertEquals(List.of("deep/by-host"), store.list("deep/"));
            }
            store = named("store.example", server.getPort(), true);
            assertArrayEquals(content, get("deep/by-host"), "the other server has the same objects");
            store.delete("deep/by-host");
            assertEquals(List.of(), store.list("deep/"));
            try (S3ObjectStore wrong = named("store.example", server.getPort(), false)) {
                assertThrows(TributaryException.class, () -> wrong.replace("deep/x", content));
            }
        } finally {
            named.stop();
        }
    }

    /** All names of hosts are this machine. */
    private static S3ObjectStore named(String host, int port, boolean pathStyle) throws Exception {
        S3Config base = config("binlogs", "secret", port);
        S3Config config = new S3Config(
                base.bucket(),
                Optional.of("http://" + host + ":" + port),
                pathStyle,
                base.region(),
                base.accessKey(),
                base.secretKey(),
                base.part(),
                base.parallel(),
                base.timeout());
        InMemoryDnsResolver names = new InMemoryDnsResolver();
        names.add(host, InetAddress.getLoopbackAddress());
        names.add("binlogs." + host, InetAddress.getLoopbackAddress());
        return new S3ObjectStore(
                config, S3Access.client(config, Apache5HttpClient.builder().dnsResolver(names)));
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
        return get(name, 0, store.size(name).orElseThrow().intValue());
    }

    private byte[] get(String name, long offset, int length) {
        try {
            ByteBuffer found = store.fetch(name, offset, length).get();
            byte[] bytes = new byte[found.remaining()];
            found.get(bytes);
            return bytes;
        } catch (ExecutionException e) {
            throw (TributaryException) e.getCause();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void returnsTheStoredBytesForEverySize() {
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
    void readsAnyRange() {
        byte[] content = bytes(100);
        put("ranged", content, Map.of());
        assertArrayEquals(Arrays.copyOfRange(content, 60, 90), get("ranged", 60, 30));
        assertArrayEquals(Arrays.copyOfRange(content, 90, 100), get("ranged", 90, 10));
        assertThrows(TributaryException.class, () -> get("ranged", 90, 11));
        assertThrows(TributaryException.class, () -> get("ranged", 100, 1));
        TributaryException missing = assertThrows(TributaryException.class, () -> get("nothing", 0, 1));
        assertEquals(ErrorCode.BACKUP_CORRUPT, missing.code());
    }

    @Test
    void replacesOnlyUnchangedObjects() {
        assertTrue(store.small("watched").isEmpty());
        String first = store.replace("watched", new byte[] {1}, Optional.empty());
        assertEquals(first, store.small("watched").orElseThrow().tag());
        assertConflict(() -> store.replace("watched", new byte[] {2}, Optional.empty()));
        String second = store.replace("watched", new byte[] {3}, Optional.of(first));
        assertConflict(() -> store.replace("watched", new byte[] {4}, Optional.of(first)));
        assertArrayEquals(new byte[] {3}, store.small("watched").orElseThrow().bytes());
        assertEquals(second, store.small("watched").orElseThrow().tag());
    }

    @Test
    void neverReplacesAFile() {
        for (int size : new int[] {100, PART + 1}) {
            byte[] content = bytes(size);
            put("once" + size, content, Map.of());
            assertConflict(() -> put("once" + size, bytes(size), Map.of()));
            assertArrayEquals(content, get("once" + size));
        }
        store.endUnfinished("once");
    }

    private static void assertConflict(Executable work) {
        TributaryException failure = assertThrows(TributaryException.class, work);
        assertEquals(ErrorCode.BACKUP_CONFLICT, failure.code());
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
    void anUploadContinuesWithThePartsThatACrashLeft() {
        byte[] content = bytes(4 * PART + 1000);
        leaveHalfWay("twice", content, 2 * PART + 1);
        assertEquals(List.of("twice"), uploads());
        try (ObjectStore.Upload upload = store.begin("twice", Map.of())) {
            upload.write(ByteBuffer.wrap(content));
            upload.finish();
            assertEquals(2 * PART + 1000, upload.sent());
        }
        assertArrayEquals(content, get("twice"));
        assertTrue(uploads().isEmpty());
    }

    @Test
    void partsWithOtherBytesThatACrashLeftAreSentAgain() {
        byte[] content = bytes(3 * PART);
        byte[] other = content.clone();
        other[PART + 5] ^= 1;
        leaveHalfWay("others", other, 2 * PART + 1);
        put("others", content, Map.of());
        assertArrayEquals(content, get("others"));
        leaveHalfWay("begins", bytes(3 * PART), 2 * PART + 1);
        put("begins", content, Map.of());
        assertArrayEquals(content, get("begins"));
        assertTrue(uploads().isEmpty());
    }

    @Test
    void unfinishedUploadsAreAborted() {
        leaveHalfWay("left/behind", bytes(2 * PART), PART + 1);
        store.endUnfinished("left/other");
        assertEquals(List.of("left/behind"), uploads());
        store.endUnfinished("left/");
        assertTrue(uploads().isEmpty());
    }

    /** Sends all whole parts of the first bytes, as they are present after a kill. */
    private void leaveHalfWay(String name, byte[] content, int bytes) {
        try (S3ObjectStore crashed = new S3ObjectStore(config("binlogs", "secret", server.getPort()))) {
            ObjectStore.Upload left = crashed.begin(name, Map.of());
            left.write(ByteBuffer.wrap(content, 0, bytes));
            Await.until("the parts to be there", Duration.ofSeconds(20), () -> left.sent() == bytes - bytes % PART);
        }
    }

    @Test
    void afterACrashOnlyTheMissingPartsOfAnEncryptedFileAreSent(@TempDir Path own) throws IOException {
        LocalFiles local = new LocalFiles(own.resolve("binlog"), 3);
        local.add(20 << 20);
        BackupConfig config = new BackupConfigs()
                .keyFile(Files.writeString(own.resolve("key"), "ab".repeat(32)))
                .config();
        String cluster = "22222222-2222-3333-4444-555555555555";
        Metrics first = new Metrics();
        try (S3ObjectStore crashed = new S3ObjectStore(config("binlogs", "secret", server.getPort()))) {
            BackupStage stage = new BackupStage(
                    new BackupSource(local, cluster, new BackupState(own)),
                    BackupTarget.of(crashed, () -> config),
                    BackupTurn.ALWAYS,
                    first,
                    new ManualClock());
            for (int i = 0; i < 5 + 4; i++) { // its SHA-256, then most of it
                assertEquals(1, stage.doWork());
            }
            Await.until("three parts to be there", Duration.ofSeconds(20), () -> partsOf(cluster) == 3);
        }
        Metrics second = new Metrics();
        try (BackupStage stage = new BackupStage(
                new BackupSource(local, cluster, new BackupState(own)),
                BackupTarget.of(store, () -> config),
                BackupTurn.ALWAYS,
                second,
                new ManualClock())) {
            while (stage.doWork() > 0) {}
            assertEquals(1, stage.backedUp());
        }
        assertEquals(FileEncryption.encryptedSize(20 << 20) - 3 * PART, Counters.value(second, Metric.BACKUP_BYTES));
        Backup backup = new Backup(store, "tributary", cluster, BackupKeys.of(config));
        Restore.run(backup, own.resolve("restored"), Progress.NONE);
        assertEquals(-1, Files.mismatch(local.files.get(0).path(), own.resolve("restored/binlog.000001")));
    }

    private int partsOf(String prefix) {
        return store.unfinished("tributary/" + prefix).stream()
                .mapToInt(left -> store.client()
                        .listParts(ask -> ask.bucket("binlogs").key(left.key()).uploadId(left.uploadId()))
                        .parts()
                        .size())
                .sum();
    }

    private List<String> uploads() {
        return store.client().listMultipartUploads(ask -> ask.bucket("binlogs")).uploads().stream()
                .map(upload -> upload.key())
                .toList();
    }

    @Test
    void missingPermissionsOrBucketAreRefusedAndATimeoutIsRetried() {
        assertFails(config("binlogs", "wrong", server.getPort()), ErrorCode.BACKUP_REFUSED, "no permission");
        S3Config missing = config("missing", "secret", server.getPort());
        for (int i = 0; i < 20; i++) { // it answers before it has received everything: the answer must still be read
            assertFails(missing, ErrorCode.BACKUP_REFUSED, "no such bucket");
        }
        assertFails(config("binlogs", "secret", 1), ErrorCode.BACKUP_FAILED, "Unable to execute HTTP request");
        assertFalse(store.list("").contains("x"));
    }

    private static void assertFails(S3Config config, ErrorCode code, String why) {
        try (S3ObjectStore refused = new S3ObjectStore(config)) {
            TributaryException failure =
                    assertThrows(TributaryException.class, () -> refused.replace("x", new byte[] {1}));
            assertEquals(code, failure.code());
            assertTrue(failure.getMessage().contains(why), failure.getMessage());
            assertTrue(
                    failure.getMessage()
                            .startsWith("s3://" + config.bucket().orElseThrow() + "/x: expected to send it"),
                    failure.getMessage());
        }
    }

    /** Reads the head of each request and closes the connection, as a store does that is stopped or disconnected. */
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
    void aStoreThatClosesConnectionsFailsTheBackupButNotTheNode() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread hanging = new Thread(() -> hangUp(socket), "hangs-up");
            hanging.start();
            S3Config config = config("binlogs", "secret", socket.getLocalPort());
            try (S3ObjectStore cutOff = new S3ObjectStore(config)) {
                byte[] large = bytes(PART / 2); // requests "100 Continue" first
                TributaryException failure = assertThrows(TributaryException.class, () -> cutOff.replace("x", large));
                assertEquals(ErrorCode.BACKUP_FAILED, failure.code(), failure.getMessage());
            }
        }
    }

    @Test
    void halfAKeyOrAnInvalidEndpointIsRefusedAtOnce() {
        S3Config whole = config("binlogs", "secret", 1);
        assertInvalid(
                new S3Config(
                        whole.bucket(),
                        whole.endpoint(),
                        true,
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
                        true,
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
