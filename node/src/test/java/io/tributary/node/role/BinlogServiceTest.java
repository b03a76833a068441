package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.S3Config;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.PurgeConfig;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.schema.SchemaProxyConfig;
import io.tributary.dumper.serve.DumpConfig;
import io.tributary.dumper.serve.NodeTables;
import io.tributary.dumper.serve.ServeConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinlogKeeperTest {
    /** What a node reads that keeps files. */
    static final List<Class<? extends Record>> KEYS = List.of(
            BinlogConfig.class,
            ClusterConfig.class,
            PurgeConfig.class,
            ReplicateConfig.class,
            ServeConfig.class,
            DumpConfig.class,
            SchemaProxyConfig.class,
            SchemaNamesConfig.class,
            BackupConfig.class,
            S3Config.class);

    private final Metrics metrics = new Metrics();

    private String serve = "127.0.0.1:0";
    private String endpoint = ""; // of a bucket; else the backup is a folder

    @TempDir
    private Path folder;

    @BeforeEach
    void makeBackup() throws IOException {
        Files.createDirectory(folder.resolve("backup"));
    }

    private Config config(Path directory) {
        return new ConfigReader(KEYS)
                .read(
                        "test",
                        List.of(
                                "binlog.directory = " + directory,
                                "serve.listen = " + serve,
                                "serve.password = p",
                                endpoint.isEmpty()
                                        ? "backup.directory = " + folder.resolve("backup")
                                        : "backup.s3.bucket = b",
                                endpoint.isEmpty() ? "" : "backup.s3.endpoint = " + endpoint,
                                "backup.s3.access-key = a",
                                "backup.s3.secret-key = s"),
                        Map.of());
    }

    private BinlogKeeper keeper(Path directory) {
        return new BinlogKeeper(
                config(directory), NodeTables.NONE, metrics, Clock.SYSTEM, new Startup(new StopSignal()));
    }

    @Test
    void aSecondNodeOnTheSameFolderIsRefusedUntilTheFirstIsGone() {
        Path directory = folder.resolve("binlog");
        try (BinlogKeeper first = keeper(directory)) {
            TributaryException thrown = assertThrows(TributaryException.class, () -> keeper(directory));
            assertEquals(ErrorCode.DIRECTORY_IN_USE, thrown.code());
            assertTrue(thrown.getMessage().contains(directory.toString()), thrown.getMessage());
            assertEquals(36, first.uuid().toString().length());
        }
        keeper(directory).close();
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        TributaryException thrown = assertThrows(TributaryException.class, () -> keeper(file.resolve("binlog")));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, thrown.code());
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
    }

    private static List<Stage> stages(WritePipeline pipeline) {
        return pipeline.planned(new Threads(Threads.Policy.SHARED, 1)).groups().stream()
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void servesBeforeAnythingWritesAndGoesOnServingFromOnePipelineToTheNext() throws Exception {
        try (BinlogKeeper keeper = keeper(folder.resolve("binlog"))) {
            Recovered first = keeper.recover(() -> "8.0.31-tributary");
            try (WritePipeline pipeline =
                    keeper.write(first, new Link<>("chunks", 4, Clock.SYSTEM), Optional.empty())) {
                stages(pipeline).forEach(Stage::close);
            }
            String address = keeper.facts().get("serves");
            Recovered second = keeper.recover(() -> "8.0.31-tributary");
            assertSame(first.files(), second.files());
            keeper.write(second, new Link<>("chunks", 4, Clock.SYSTEM), Optional.empty())
                    .close();
            assertEquals(address, keeper.facts().get("serves"));
            assertEquals(keeper.uuid().toString(), keeper.facts().get("server.uuid"));
        }
    }

    @Test
    void whoComesBeforeTheBinlogIsRecoveredIsToldSo() throws Exception {
        try (BinlogKeeper keeper = keeper(folder.resolve("binlog"))) {
            assertTrue(greeting(keeper).contains("its binlog is not recovered"), greeting(keeper));
            keeper.recover(() -> "8.0.31-tributary");
            assertTrue(greeting(keeper).contains("8.0.31-tributary"), greeting(keeper));
        }
    }

    @Test
    void aStoreThatDoesNotAnswerHoldsUpNeitherReadersNorTheEnd() throws Exception {
        Path directory = folder.resolve("binlog");
        try (BinlogKeeper keeper = keeper(directory)) {
            keeper.recover(() -> "8.0.31-tributary");
        }
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            endpoint = "http://127.0.0.1:" + silent.getLocalPort();
            assertTimeout(
                    Duration.ofSeconds(30),
                    () -> { // one call may take two minutes
                        try (BinlogKeeper keeper = keeper(directory)) {
                            keeper.recover(() -> "8.0.31-tributary");
                            assertTrue(greeting(keeper).contains("8.0.31-tributary"), greeting(keeper));
                        }
                    });
        }
    }

    private static String greeting(BinlogKeeper keeper) throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), keeper.address().getPort())) {
            byte[] header = socket.getInputStream().readNBytes(4);
            assertEquals(0, header[3], "the first packet");
            return new String(socket.getInputStream().readNBytes(header[0] & 0xff), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void aServerAddressThatIsTakenGivesTheFolderBack() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            serve = "127.0.0.1:" + taken.getLocalPort();
            TributaryException thrown = assertThrows(TributaryException.class, () -> keeper(folder.resolve("binlog")));
            assertEquals(ErrorCode.ADDRESS_UNUSABLE, thrown.code());
        }
        serve = "127.0.0.1:0";
        keeper(folder.resolve("binlog")).close();
    }

    @Test
    void tellsWhereTheBinlogStands() throws Exception {
        try (BinlogKeeper keeper = keeper(folder.resolve("binlog"))) {
            Recovered recovered = keeper.recover(() -> "8.0.31-tributary");
            Link<Chunk> chunks = new Link<>("chunks", 4, Clock.SYSTEM);
            try (WritePipeline pipeline = keeper.write(recovered, chunks, Optional.empty())) {
                chunks.put(new Chunk.CutMark(1, new Cut(3, 8, 0, 0, List.of(), Set.of(), SchemaState.NONE)));
                while (!"8 of epoch 3".equals(keeper.facts().get("cut"))) {
                    for (Stage stage : stages(pipeline)) {
                        stage.doWork();
                    }
                }
                assertEquals("", keeper.facts().get("gtid.executed"));
                stages(pipeline).forEach(Stage::close);
            }
        }
    }
}
