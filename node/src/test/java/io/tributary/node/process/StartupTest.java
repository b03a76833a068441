package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.NodeIdentity;
import io.tributary.node.cluster.TestCoordination;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StartupTest {
    private final StopSignal stop = new StopSignal();
    private final Startup startup = new Startup(stop);
    private final List<String> states = new ArrayList<>();
    private boolean isBrokenOff;

    @TempDir
    Path folder;

    private void run(StopSignal.Work<Void, IOException> step, long pauseNanos) throws IOException {
        startup.retryUntilAvailable(
                step,
                () -> isBrokenOff = true,
                failure -> failure.code() == ErrorCode.BACKUP_FAILED,
                new Backoff(pauseNanos, pauseNanos));
    }

    private static TributaryException failure(ErrorCode code) {
        return new TributaryException(code, "the store does not answer");
    }

    @Test
    void retriesUntilItSucceedsAndShowsTheReason() throws IOException {
        run(
                () -> {
                    states.add(startup.state());
                    if (states.size() < 3) {
                        throw failure(ErrorCode.BACKUP_FAILED);
                    }
                    return null;
                },
                1);
        states.add(startup.state());
        String after = "starting: tries again after: "
                + failure(ErrorCode.BACKUP_FAILED).line();
        assertEquals(List.of("starting", after, after, "starting"), states);
    }

    @Test
    void endsWithAFailureThatARetryCannotFix() {
        TributaryException refused = failure(ErrorCode.BACKUP_REFUSED);
        assertSame(refused, assertThrows(TributaryException.class, () -> run(() -> throwing(refused), 1)));
        IOException disk = new IOException("No space left on device");
        assertSame(
                disk,
                assertThrows(
                        IOException.class,
                        () -> run(
                                () -> {
                                    throw disk;
                                },
                                1)));
    }

    private Void throwing(TributaryException failure) {
        states.add("");
        throw failure;
    }

    @Test
    void endsWithItsLastFailureWhenTheNodeStops() {
        TributaryException silent = failure(ErrorCode.BACKUP_FAILED);
        assertSame(
                silent,
                assertThrows(
                        TributaryException.class,
                        () -> run(
                                () -> {
                                    stop.request();
                                    throw silent;
                                },
                                TimeUnit.DAYS.toNanos(1))));
        assertEquals(true, isBrokenOff);
    }

    @Test
    @Timeout(60)
    void waitsUntilZooKeeperAnswers() throws Exception {
        InstanceSpec spec = new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, 100, -1);
        try (TestingServer server = new TestingServer(spec, false)) {
            CompletableFuture<Coordinator> met = CompletableFuture.supplyAsync(() -> meets(spec.getPort()));
            untilItWaits();
            server.start();
            met.get(40, TimeUnit.SECONDS).close();
        }
        assertEquals("starting", startup.state());
    }

    @Test
    @Timeout(60)
    void stopsWaitingForZooKeeperWhenTheNodeStops() throws Exception {
        CompletableFuture<Coordinator> met = CompletableFuture.supplyAsync(() -> meets(1));
        untilItWaits();
        stop.request();
        ExecutionException failure = assertThrows(ExecutionException.class, () -> met.get(20, TimeUnit.SECONDS));
        assertEquals(ErrorCode.CLUSTER_UNREACHABLE, ((TributaryException) failure.getCause()).code());
    }

    private Coordinator meets(int port) {
        CoordinationConfig config =
                TestCoordination.config("n", "127.0.0.1:" + port, "/test", Duration.ofMillis(500), 1);
        return startup.retryUntilAvailable(
                () -> new ZooKeeperCoordinator(
                        config, NodeIdentity.own("c", "n"), new Quorum(1, Acknowledgement.LEADER), Clock.SYSTEM),
                Thread.currentThread()::interrupt,
                failure -> failure.code() == ErrorCode.CLUSTER_UNREACHABLE,
                new Backoff());
    }

    private void untilItWaits() {
        while (!startup.state().contains("CLUSTER_UNREACHABLE")) {
            Thread.onSpinWait();
        }
    }
}
