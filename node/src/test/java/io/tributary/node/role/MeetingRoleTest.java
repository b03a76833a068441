package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.admin.NodeStatus;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.EmbeddedCoordinator;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that starts before ZooKeeper does. */
@Timeout(60)
class MeetingRoleTest {
    private final StopSignal stop = new StopSignal();

    @TempDir
    Path folder;

    /** What a node is once it has met the others: it runs until it is to stop. */
    private final class Met implements Role {
        private final Coordinator coordinator;
        private volatile boolean isClosed;

        Met(Coordinator coordinator) {
            this.coordinator = coordinator;
        }

        @Override
        public void run() throws InterruptedException {
            stop.await(Long.MAX_VALUE);
        }

        @Override
        public NodeStatus status() {
            return new NodeStatus("1", "task", "running", true, List.of(), Map.of());
        }

        @Override
        public CompletableFuture<OrderSnapshot> transactions() {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {
            isClosed = true;
            coordinator.close();
        }
    }

    private volatile Met met;

    private MeetingRole role(int port) {
        CoordinationConfig config = new CoordinationConfig(
                Optional.of("n"),
                Optional.empty(),
                Optional.of("127.0.0.1:" + port),
                Optional.of("/test"),
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                1);
        return new MeetingRole(
                () -> new ZooKeeperCoordinator(config, "c", "n", new Quorum(1, Acknowledgement.LEADER), Clock.SYSTEM),
                coordinator -> met = new Met(coordinator),
                stop,
                MeetingRole.before("1", "task", "n"));
    }

    private static CompletableFuture<Void> running(Role role) {
        return CompletableFuture.runAsync(() -> {
            try {
                role.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void until(BooleanSupplier done) {
        long since = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertTrue(System.nanoTime() - since < TimeUnit.SECONDS.toNanos(40), "waited in vain");
            Thread.onSpinWait();
        }
    }

    @Test
    void waitsForZooKeeperSaysSoAndGoesOnWhenItIsThere() throws Exception {
        InstanceSpec spec = new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, 100, -1);
        try (TestingServer server = new TestingServer(spec, false);
                MeetingRole role = role(spec.getPort())) {
            CompletableFuture<Void> run = running(role);
            until(() -> role.status().state().startsWith("CLUSTER_UNREACHABLE"));
            assertFalse(role.status().isHealthy());
            assertEquals("n", role.status().facts().get("node"));
            server.start();
            until(() -> role.status().isHealthy());
            stop.request();
            run.get(20, TimeUnit.SECONDS);
        }
        assertTrue(met.isClosed);
    }

    @Test
    void endsAtOnceWhenItIsToStopMeanwhile() throws Exception {
        try (MeetingRole role = role(1)) {
            CompletableFuture<Void> run = running(role);
            until(() -> role.status().state().startsWith("CLUSTER_UNREACHABLE"));
            stop.request();
            run.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatWillNotPassEndsIt() {
        TributaryException mismatch = new TributaryException(ErrorCode.CLUSTER_MISMATCH, "another cluster's");
        try (MeetingRole role = new MeetingRole(
                () -> new EmbeddedCoordinator(Clock.SYSTEM),
                coordinator -> {
                    throw mismatch;
                },
                stop,
                MeetingRole.before("1", "task", "n"))) {
            assertSame(mismatch, assertThrows(TributaryException.class, role::run));
        }
    }
}
