package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.Config;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.node.status.ApplyStatus;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An applier whose nodes do not answer: it tries them in turn until the node is stopped. */
@Timeout(60)
class ReaderRoleTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private final StopSignal stop = new StopSignal();
    private final Metrics metrics = new Metrics();
    private ServerSocket silent; // accepts connections and sends nothing

    @BeforeEach
    void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        silent.close();
        metrics.close();
    }

    private Config config(String nodes) throws IOException {
        return NodeKeys.read(
                Files.write(
                        folder.resolve("node.properties"),
                        List.of(
                                "node.role = apply",
                                "apply.nodes = " + nodes,
                                "apply.target = 127.0.0.1:3",
                                "apply.retry = 100ms")),
                Map.of());
    }

    private ReaderRole role(Config config) {
        return ReaderRole.applier(new NodeEnvironment(
                new ConfigSource(config, () -> config), "1", metrics, Clock.SYSTEM, new Startup(stop)));
    }

    private static CompletableFuture<Void> begin(ReaderRole role) {
        return CompletableFuture.runAsync(() -> {
            try {
                role.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static String node(ReaderRole role) {
        return assertInstanceOf(ApplyStatus.class, role.status().parts().get(0))
                .reader()
                .node()
                .toString();
    }

    @Test
    void triesTheNextNodeAndEndsOnlyWhenItIsStopped() throws Exception {
        try (ReaderRole role = role(config("127.0.0.1:1, 127.0.0.1:2"))) {
            CompletableFuture<Void> running = begin(role);
            for (String next : List.of("127.0.0.1:2", "127.0.0.1:1", "127.0.0.1:2")) {
                Await.until(
                        "the node " + next + " to be tried",
                        LIMIT,
                        () -> node(role).equals(next));
            }
            Await.until(
                    "a failure in the status",
                    LIMIT,
                    () -> role.status().state().startsWith("held: "));
            String state = role.status().state();
            assertTrue(state.startsWith("held: NODE_UNREACHABLE: node 127.0.0.1:"), state);
            assertTrue(state.matches(".*; tries again (now|in 0\\.\\d s)"), state);
            assertFalse(role.status().isHealthy());
            assertFalse(running.isDone());
            stop.request();
            running.get(20, TimeUnit.SECONDS);
            assertEquals("stopping", role.status().state());
        }
    }

    @Test
    void newAddressesEndTheRun() throws Exception {
        String mute = "127.0.0.1:" + silent.getLocalPort();
        try (ReaderRole role = role(config(mute))) {
            CompletableFuture<Void> running = begin(role);
            Await.until("a run", LIMIT, () -> role.status().state().equals("running"));
            assertEquals(mute, node(role));
            role.update(config("127.0.0.1:1, 127.0.0.1:2"));
            Await.until("another node", LIMIT, () -> node(role).equals("127.0.0.1:2"));
            stop.request();
            running.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aStopEndsARunThatWaitsForANode() throws Exception {
        String mute = "127.0.0.1:" + silent.getLocalPort();
        try (ReaderRole role = role(config(mute))) {
            CompletableFuture<Void> running = begin(role);
            Await.until("a run", LIMIT, () -> role.status().state().equals("running"));
            stop.request();
            running.get(20, TimeUnit.SECONDS);
        }
        assertEquals(
                List.of(),
                metrics.samples().stream()
                        .map(Metrics.Sample::name)
                        .filter(name -> name.startsWith("tributary.apply"))
                        .toList(),
                "its metrics end with it");
    }

    @Test
    void itsMetricsAreThereBeforeItRuns() throws Exception {
        try (ReaderRole role = role(config("127.0.0.1:1"))) {
            assertEquals("starting", role.status().state());
            List<String> blocked = metrics.samples().stream()
                    .filter(sample -> sample.name().equals("tributary.apply.blocked.seconds"))
                    .map(sample -> sample.tags().get("reason"))
                    .toList();
            assertEquals(List.of("barrier", "dependency", "memory", "worker"), blocked);
            assertTrue(
                    metrics.samples().stream()
                            .filter(sample -> sample.name().startsWith("tributary.apply.lag"))
                            .allMatch(sample -> Double.isNaN(sample.value())),
                    "the lag is not known");
        }
    }
}
