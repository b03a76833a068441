package io.tributary.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the rule that order.mode=tso requires: before the COMMIT of a transaction in a shard's log, every smaller timestamp that is ever committed is
 * prepared there. Clients are slow, give up, are killed or are late, and the service is restarted.
 */
class CommitOrderTest {
    private static final int CLIENTS = 8;
    private static final int TRANSACTIONS = 150;

    /** On a busy machine many leases end before their transaction does. */
    private static final int MOST_TRANSACTIONS = 20 * TRANSACTIONS;

    private static final int SHARDS = 3;

    @TempDir
    private Path folder;

    private final List<List<Entry>> logs = new ArrayList<>();
    private volatile TsoServer server;

    /** P or C of a timestamp in a shard's log. */
    private record Entry(char kind, long tso) {}

    @Test
    void everySmallerTimestampIsPreparedBeforeACommit() throws Exception {
        for (int i = 0; i < SHARDS; i++) {
            logs.add(new ArrayList<>());
        }
        server = open();
        long seed = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(seed + i);
                clients.add(threads.submit(() -> runClient(random)));
            }
            awaitLog(TRANSACTIONS);
            server.close();
            server = open();
            int committed = 0;
            for (Future<Integer> client : clients) {
                committed += client.get();
            }
            assertTrue(committed >= CLIENTS * TRANSACTIONS, "seed " + seed + ": only " + committed);
        } finally {
            threads.shutdownNow();
            server.close();
        }
        logs.forEach(log -> check(log, "seed " + seed));
    }

    private TsoServer open() {
        TsoConfig config = TsoConfig.of(new HostPort("127.0.0.1", 0), folder).withLease(Duration.ofMillis(40));
        return TsoServer.open(config, new Metrics(), Clock.SYSTEM);
    }

    private void awaitLog(int entries) {
        while (true) {
            synchronized (logs) {
                if (logs.get(0).size() >= entries) {
                    return;
                }
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private int runClient(Random random) {
        int committed = 0;
        TsoServer known = server;
        TsoClient client = client(known);
        for (int i = 0; i < TRANSACTIONS || committed < TRANSACTIONS && i < MOST_TRANSACTIONS; i++) {
            if (known != server) {
                client.close();
                known = server;
                client = client(known);
            }
            try {
                committed += transaction(client, random) ? 1 : 0;
            } catch (TributaryException e) { // the service was restarted: no answer is no turn
                LockSupport.parkNanos(1_000_000);
            }
        }
        client.close();
        return committed;
    }

    private static TsoClient client(TsoServer of) {
        return TsoClient.of(new HostPort("127.0.0.1", of.port()), Duration.ofSeconds(10));
    }

    private boolean transaction(TsoClient client, Random random) {
        int fate = random.nextInt(40);
        long tso = client.next();
        if (fate == 0) {
            return false; // is killed
        }
        if (fate == 1) {
            client.giveUp(List.of(tso));
            return false;
        }
        if (fate == 2) {
            LockSupport.parkNanos(80_000_000); // past its lease
        }
        List<List<Entry>> shards = random.nextBoolean() ? logs : logs.subList(0, 1 + random.nextInt(SHARDS));
        for (List<Entry> shard : shards) {
            append(shard, 'P', tso);
            LockSupport.parkNanos(random.nextInt(200_000));
        }
        if (!client.awaitTurn(tso)) {
            return false; // rolls back
        }
        for (List<Entry> shard : shards) {
            append(shard, 'C', tso);
        }
        return true;
    }

    private void append(List<Entry> shard, char kind, long tso) {
        synchronized (logs) {
            shard.add(new Entry(kind, tso));
        }
    }

    private static void check(List<Entry> log, String what) {
        Set<Long> committed = new HashSet<>();
        Map<Long, Integer> preparedAt = new HashMap<>();
        for (int i = 0; i < log.size(); i++) {
            Entry entry = log.get(i);
            if (entry.kind == 'C') {
                committed.add(entry.tso);
            } else {
                assertEquals(null, preparedAt.put(entry.tso, i), what);
            }
        }
        long newest = -1; // of the commits seen so far
        for (Entry entry : log) {
            if (entry.kind == 'P' && committed.contains(entry.tso)) {
                assertTrue(entry.tso > newest, what + ": " + entry.tso + " prepared after the commit of " + newest);
            } else if (entry.kind == 'C') {
                newest = Math.max(newest, entry.tso);
            }
        }
    }
}
