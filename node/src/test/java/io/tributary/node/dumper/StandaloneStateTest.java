package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.PurgeConfig;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.replicate.ReplicateConfig;
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
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.ThreadPlan;
import io.tributary.node.status.StatusFacts;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.dump.DumpConfig;
import io.tributary.serve.schema.SchemaProxyConfig;
import io.tributary.serve.select.SelectConfig;
import io.tributary.serve.statement.NodeTables;
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

public class StandaloneStateTest {
    /** The configuration of a node that stores files. */
    public static final List<Class<? extends Record>> KEYS = List.of(
            BinlogConfig.class,
            ClusterConfig.class,
            PurgeConfig.class,
            ReplicateConfig.class,
            ServeConfig.class,
            DumpConfig.class,
            SchemaProxyConfig.class,
            SelectConfig.class,
            SchemaNamesConfig.class,
            BackupConfig.class,
            S3Config.class);

    private final Metrics metrics = new Metrics();

    private String serve = "127.0.0.1:0";
    private String endpoint = ""; // of a bucket; empty: the backup is a folder

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

    private StandaloneState service(Path directory) {
        return new StandaloneState(
                config(directory), NodeTables.NONE, metrics, Clock.SYSTEM, new Startup(new StopSignal()));
    }

    @Test
    void aSecondNodeOnTheSameFolderIsRefusedUntilTheFirstIsGone() {
        Path directory = folder.resolve("binlog");
        try (StandaloneState first = service(directory)) {
            TributaryException thrown = assertThrows(TributaryException.class, () -> service(directory));
            assertEquals(ErrorCode.DIRECTORY_IN_USE, thrown.code());
            assertTrue(thrown.getMessage().contains(directory.toString()), thrown.getMessage());
            assertEquals(36, first.uuid().toString().length());
        }
        service(directory).close();
    }

    @Test
    void aFolderThatCannotBeCreatedIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        TributaryException thrown = assertThrows(TributaryException.class, () -> service(file.resolve("binlog")));
        assertEquals(ErrorCode.DIRECTORY_UNUSABLE, thrown.code());
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
    }

    private static List<Stage> stages(WritePipeline pipeline) {
        return pipeline.planned(new ThreadPlan(ThreadPlan.Policy.SHARED, 1)).groups().stream()
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void servesBeforeAPipelineWritesAndContinuesFromOnePipelineToTheNext() throws Exception {
        try (StandaloneState service = service(folder.resolve("binlog"))) {
            Recovered first = service.recover(() -> "8.0.31-tributary");
            try (WritePipeline pipeline =
                    service.write(first, new Link<>("chunks", 4, Clock.SYSTEM), Optional.empty())) {
                stages(pipeline).forEach(Stage::close);
            }
            String address = StatusFacts.of(service.parts()).get("serves");
            Recovered second = service.recover(() -> "8.0.31-tributary");
            assertSame(first.files(), second.files());
            service.write(second, new Link<>("chunks", 4, Clock.SYSTEM), Optional.empty())
                    .close();
            assertEquals(address, StatusFacts.of(service.parts()).get("serves"));
            assertEquals(
                    service.uuid().toString(), StatusFacts.of(service.parts()).get("server.uuid"));
        }
    }

    @Test
    void aReaderThatConnectsBeforeTheRecoveryGetsAnError() throws Exception {
        try (StandaloneState service = service(folder.resolve("binlog"))) {
            assertTrue(greeting(service).contains("its binlog is not recovered"), greeting(service));
            service.recover(() -> "8.0.31-tributary");
            assertTrue(greeting(service).contains("8.0.31-tributary"), greeting(service));
        }
    }

    @Test
    void aStoreThatDoesNotAnswerBlocksNeitherReadersNorTheEnd() throws Exception {
        Path directory = folder.resolve("binlog");
        try (StandaloneState service = service(directory)) {
            service.recover(() -> "8.0.31-tributary");
        }
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            endpoint = "http://127.0.0.1:" + silent.getLocalPort();
            assertTimeout(
                    Duration.ofSeconds(30),
                    () -> { // one call may take two minutes
                        try (StandaloneState service = service(directory)) {
                            service.recover(() -> "8.0.31-tributary");
                            assertTrue(greeting(service).contains("8.0.31-tributary"), greeting(service));
                        }
                    });
        }
    }

    private static String greeting(StandaloneState service) throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.address().getPort())) {
            byte[] header = socket.getInputStream().readNBytes(4);
            assertEquals(0, header[3], "the first packet");
            return new String(socket.getInputStream().readNBytes(header[0] & 0xff), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void anAddressInUseReleasesTheFolder() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            serve = "127.0.0.1:" + taken.getLocalPort();
            TributaryException thrown = assertThrows(TributaryException.class, () -> service(folder.resolve("binlog")));
            assertEquals(ErrorCode.ADDRESS_UNUSABLE, thrown.code());
        }
        serve = "127.0.0.1:0";
        service(folder.resolve("binlog")).close();
    }

    @Test
    void reportsTheEndOfTheBinlog() throws Exception {
        try (StandaloneState service = service(folder.resolve("binlog"))) {
            Recovered recovered = service.recover(() -> "8.0.31-tributary");
            Link<Chunk> chunks = new Link<>("chunks", 4, Clock.SYSTEM);
            try (WritePipeline pipeline = service.write(recovered, chunks, Optional.empty())) {
                chunks.put(new Chunk.CutMark(
                        1,
                        new Cut(
                                3,
                                8,
                                new Cut.Sources(List.of(), Set.of()),
                                new Cut.OutputPoint(0, 0, 0),
                                new Cut.SchemaPoint(SchemaState.NONE, 0))));
                while (!"8 of epoch 3".equals(StatusFacts.of(service.parts()).get("cut"))) {
                    for (Stage stage : stages(pipeline)) {
                        stage.doWork();
                    }
                }
                assertEquals("", StatusFacts.of(service.parts()).get("gtid.executed"));
                stages(pipeline).forEach(Stage::close);
            }
        }
    }
}
