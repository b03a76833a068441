package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.dumper.StandaloneStateTest;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.PipelineConfig;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.node.replica.VerifyConfig;
import io.tributary.testkit.Await;
import io.tributary.transmitter.TransmitConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Dumper of a cluster with a real ZooKeeper. */
class ClusterRoleTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String TREE = "/tributary/tributary";

    @TempDir
    private Path folder;

    private TestingServer server;
    private CuratorFramework zookeeper;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(
                new InstanceSpec(folder.resolve("zookeeper").toFile(), -1, -1, -1, true, -1, 500, -1), true);
        zookeeper = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        zookeeper.start();
    }

    @AfterEach
    void end() throws Exception {
        zookeeper.close();
        server.close();
    }

    /** A clock that fails from some time on when a leader proves itself. */
    private static final class BrokenClock implements Clock {
        private volatile boolean isBroken;

        @Override
        public long nanoTime() {
            if (isBroken && Thread.currentThread().getName().contains("pulse")) {
                throw new IllegalStateException("nonsense");
            }
            return SYSTEM.nanoTime();
        }

        @Override
        public long epochMicros() {
            return SYSTEM.epochMicros();
        }
    }

    private Config config() throws IOException {
        List<Class<? extends Record>> keys = new ArrayList<>(StandaloneStateTest.KEYS);
        keys.addAll(List.of(
                NodeConfig.class,
                AdminConfig.class,
                CoordinationConfig.class,
                PipelineConfig.class,
                TransmitConfig.class,
                VerifyConfig.class));
        return new ConfigReader(keys)
                .read(
                        "test",
                        List.of(
                                "node.id = d1",
                                "node.roles = dumper",
                                "cluster.zookeeper = " + server.getConnectString(),
                                "cluster.dumpers = 1",
                                "binlog.directory = " + folder.resolve("binlog"),
                                "backup.directory = " + Files.createDirectories(folder.resolve("backup")),
                                "serve.listen = 127.0.0.1:0",
                                "serve.password = p"),
                        Map.of());
    }

    private static NodeEnvironment environment(Config config, Metrics metrics, Clock clock, StopSignal stop) {
        return new NodeEnvironment(new ConfigSource(config, () -> config), "test", metrics, clock, new Startup(stop));
    }

    private boolean isLed() {
        try {
            return zookeeper.checkExists().forPath(TREE + "/leader") != null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The clock cannot be read any more, which no part of the program expects. */
    @Test
    void aLeaderThatFailsUnexpectedlyResignsAndEnds() throws Exception {
        StopSignal stop = new StopSignal();
        Config config = config();
        BrokenClock clock = new BrokenClock();
        try (Metrics metrics = new Metrics();
                ClusterRole role = ClusterRole.of(environment(config, metrics, clock, stop))) {
            CompletableFuture<Void> running = CompletableFuture.runAsync(() -> run(role));
            Await.until(() -> "a leader: " + role.status(), LIMIT, this::isLed);
            clock.isBroken = true;
            Optional<Throwable> ended = running.handle((done, cause) -> Optional.ofNullable(cause))
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            TributaryException failure = (TributaryException) ((CompletionException) ended.orElseThrow()).getCause();
            assertEquals(ErrorCode.INTERNAL, failure.code());
            assertTrue(failure.getMessage().contains("nonsense"), failure::getMessage);
            assertEquals("stopped: " + failure.line(), role.status().state());
            assertTrue(!isLed(), "another Dumper can lead");
        }
    }

    /** A claim that no node has written is logged and left out. */
    @Test
    void unreadableClaimsEndNoNode() throws Exception {
        StopSignal stop = new StopSignal();
        Config config = config();
        try (Metrics metrics = new Metrics();
                ClusterRole role = ClusterRole.of(environment(config, metrics, Clock.SYSTEM, stop))) {
            zookeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .forPath(TREE + "/claims/odd", "epoch=nonsense\n".getBytes(StandardCharsets.UTF_8));
            CompletableFuture<Void> running = CompletableFuture.runAsync(() -> run(role));
            Await.until(() -> "a leader: " + role.status(), LIMIT, this::isLed);
            Await.until(
                    () -> "the claim of the backup: " + role.status(),
                    LIMIT,
                    () -> zookeeper.checkExists().forPath(TREE + "/claims/backup") != null);
            stop.request();
            running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void run(Role role) {
        try {
            role.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
