package io.tributary.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service and its client over a real connection. */
class TsoServerTest {
    private static final int CLIENTS = 8;

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Metrics metrics = new Metrics();
    private TsoServer server;
    private TsoClient client;

    @BeforeEach
    void start() {
        start(config -> config);
    }

    private void start(UnaryOperator<TsoConfig> change) {
        TsoConfig config = change.apply(TsoConfig.of(new HostPort("127.0.0.1", 0), folder));
        server = TsoServer.open(config, metrics.child(), Clock.SYSTEM);
        client = newClient();
    }

    private TsoClient newClient() {
        return TsoClient.of(new HostPort("127.0.0.1", server.port()), Duration.ofSeconds(30));
    }

    private void restart(UnaryOperator<TsoConfig> change) {
        client.close();
        server.close();
        start(change);
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        client.close();
        server.close();
    }

    @Test
    void eightClientsNeverGetTheSame() throws Exception {
        List<Callable<List<Long>>> work = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            work.add(() -> {
                try (TsoClient own = newClient()) {
                    List<Long> taken = new ArrayList<>();
                    for (int call = 0; call < 300; call++) {
                        long first = call % 2 == 0 ? own.take(3) : own.next(3);
                        assertTrue(taken.isEmpty() || first > taken.get(taken.size() - 1));
                        taken.addAll(List.of(first, first + 1, first + 2));
                    }
                    return taken;
                }
            });
        }
        Set<Long> all = new TreeSet<>();
        for (Future<List<Long>> one : threads.invokeAll(work)) {
            one.get().forEach(tso -> assertTrue(all.add(tso), "twice: " + tso));
        }
        assertEquals(CLIENTS * 900, all.size());
        assertEquals(CLIENTS * 900, metric("tributary.tso.handed.out"));
        assertEquals(CLIENTS * 450, metric("tributary.tso.open"));
    }

    @Test
    void aTurnWaitsForASmallerTimestampToBePrepared() throws Exception {
        long first = client.next();
        long second = client.next();
        Future<Boolean> turn = threads.submit(() -> client.awaitTurn(second));
        assertThrows(java.util.concurrent.TimeoutException.class, () -> turn.get(100, TimeUnit.MILLISECONDS));
        assertTrue(metric("tributary.tso.oldest.seconds") > 0);
        assertTrue(client.awaitTurn(first));
        assertTrue(turn.get(10, TimeUnit.SECONDS));
        assertEquals(0, metric("tributary.tso.open"));
        assertEquals(0, metric("tributary.tso.oldest.seconds"));
    }

    @Test
    void aTurnDoesNotWaitForTimestampsThatWereGivenUpOrHaveNoTurn() throws Exception {
        client.take(10);
        long first = client.next(2);
        Future<Boolean> turn = threads.submit(() -> client.awaitTurn(first + 1));
        client.giveUp(List.of(first));
        assertTrue(turn.get(10, TimeUnit.SECONDS));
    }

    @Test
    void aTransactionPastItsLeaseIsGivenUpAndMayNotCommit() {
        restart(config -> config.withLease(Duration.ofMillis(200)));
        long silent = client.next();
        long quick = client.next();
        assertTrue(client.awaitTurn(quick));
        assertFalse(client.awaitTurn(silent));
        assertEquals(1, metric("tributary.tso.expired"));
    }

    @Test
    void aNewServiceGrantsNothingThatTheOldOneHandedOut() {
        long old = client.next();
        restart(config -> config);
        long young = client.next();
        assertTrue(young > old);
        assertTrue(client.awaitTurn(young));
        assertFalse(client.awaitTurn(old));
    }

    @Test
    void severalTransactionsGetTheirTurnsInOneCall() {
        long first = client.next(5);
        client.giveUp(List.of(first + 2));
        assertEquals(
                List.of(first, first + 1, first + 3),
                client.awaitTurns(List.of(first, first + 1, first + 2, first + 3)));
        assertEquals(1, metric("tributary.tso.open"));
    }

    @Test
    void aWaitingClientGetsAnErrorWhenTheServiceEnds() throws Exception {
        client.next();
        long second = client.next();
        Future<Boolean> turn = threads.submit(() -> client.awaitTurn(second));
        assertThrows(java.util.concurrent.TimeoutException.class, () -> turn.get(100, TimeUnit.MILLISECONDS));
        server.close();
        Throwable failure = assertThrows(
                        java.util.concurrent.ExecutionException.class, () -> turn.get(10, TimeUnit.SECONDS))
                .getCause();
        assertEquals(ErrorCode.TSO_SERVICE_UNREACHABLE, ((TributaryException) failure).code());
    }

    @Test
    void requestsOutOfBoundsAreRefused() {
        restart(config -> config.withTurns(10));
        refuses(ErrorCode.TSO_SERVICE_REFUSED, () -> client.take(0), "expected a count of 1 to 1048576, found 0");
        refuses(ErrorCode.TSO_SERVICE_REFUSED, () -> client.take((1 << 20) + 1), "found 1048577");
        client.next(9);
        refuses(ErrorCode.TSO_SERVICE_REFUSED, () -> client.next(2), "expected at most 1 more turns of the 10");
        client.next();
    }

    @Test
    void anUnreachableServiceIsReported() {
        server.close();
        refuses(ErrorCode.TSO_SERVICE_UNREACHABLE, () -> client.take(1), "TSO service 127.0.0.1:");
    }

    private static void refuses(ErrorCode code, org.junit.jupiter.api.function.Executable call, String message) {
        TributaryException refusal = assertThrows(TributaryException.class, call);
        assertEquals(code, refusal.code());
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }

    private double metric(String name) {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
