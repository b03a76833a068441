package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.sink.Guarantee;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the sink and its broker (SIGKILL) at random moments and at those around a commit; {@code -Dkills} and {@code -Dseed} choose how often and when. It
 * fails with {@code -Ddelivery=AT_LEAST_ONCE}.
 */
class SinkKillsTest {
    private static final int KILLS = Integer.getInteger("kills", 4);
    private static final long SEED = Long.getLong("seed", 17);
    private static final Guarantee GUARANTEE = Guarantee.valueOf(System.getProperty("delivery", "EXACTLY_ONCE"));
    private static final int CONNECTIONS = 2;
    private static final int MOST_TRANSACTIONS = 400;
    private static final long MOST_NANOS = 700_000_000;

    private final Map<String, Integer> done = new TreeMap<>();
    private ChildProcess sink;

    @TempDir
    private Path folder;

    /** When a process is killed (SIGKILL). */
    private enum Moment {
        /** At any time. */
        RANDOM,
        /** While a Kafka transaction has rows and is not committed. */
        BEFORE_COMMIT,
        /** While a Kafka transaction has its last record, the place, and is not committed. */
        BEFORE_END,
        /** Soon after a commit. */
        AFTER_COMMIT
    }

    @Test
    void everyRowArrivesOnceAndInOrderWhileSinkAndBrokerAreKilled() throws Exception {
        System.out.println("seed=" + SEED + " kills=" + KILLS);
        try (SinkRig rig = new SinkRig(KafkaBrokers.one());
                OpenTransactions open = new OpenTransactions(rig)) {
            rig.clear();
            RowLoad.create(rig.source());
            long first = rig.last() + 1;
            Random random = new Random(SEED);
            ExecutorService threads = Executors.newCachedThreadPool();
            sink = SinkProcess.start(rig, GUARANTEE, folder.resolve("sink.log"));
            try {
                for (int kill = 0; kill < KILLS; kill++) {
                    RowLoad load = new RowLoad(rig.source());
                    List<CompletableFuture<Void>> running = new ArrayList<>();
                    for (int i = 0; i < CONNECTIONS; i++) {
                        running.add(load.start(threads, i, random.nextLong()));
                    }
                    long until = 50L + random.nextInt(MOST_TRANSACTIONS);
                    Await.until("transactions", SinkRig.LIMIT, () -> load.transactions() >= until);
                    load.slowDown();
                    kill(rig, open, Moment.values()[(kill + 1) % Moment.values().length], random);
                    load.stop();
                    running.forEach(CompletableFuture::join);
                }
                awaitAll(rig);
            } finally {
                sink.close();
                threads.shutdownNow();
            }
            List<Received> all = rig.read("shop.t");
            assertTrue(all.size() > KILLS * 50, () -> "only " + all.size());
            ReplayCheck.check(all, rig.source(), first, rig.last());
            System.out.println("messages=" + all.size() + " transactions=" + (rig.last() - first + 1) + " " + done);
        }
    }

    private void kill(SinkRig rig, OpenTransactions open, Moment moment, Random random) throws Exception {
        long before = place(rig);
        Await.until("more messages", SinkRig.LIMIT, () -> place(rig) > before);
        switch (GUARANTEE == Guarantee.EXACTLY_ONCE ? moment : Moment.RANDOM) {
            case RANDOM -> LockSupport.parkNanos(random.nextLong(MOST_NANOS));
            case BEFORE_COMMIT -> open.stopWithin("shop.t", sink);
            case BEFORE_END -> open.stopWithin("tributary-progress", sink);
            case AFTER_COMMIT -> {
                long last = place(rig);
                Await.until("a commit", SinkRig.LIMIT, () -> place(rig) > last);
            }
        }
        boolean isBroker = random.nextInt(3) == 0;
        if (isBroker) {
            rig.brokers().first().kill9();
            sink.resume();
            rig.brokers().first().restart();
        } else {
            sink.kill9();
            String state = open.isIn("shop.t") ? " with an open transaction" : " without one";
            done.merge("sink" + state, 1, Integer::sum);
            sink.close();
            sink = SinkProcess.start(rig, GUARANTEE, folder.resolve("sink.log"));
        }
        done.merge((isBroker ? "broker " : "sink ") + moment, 1, Integer::sum);
    }

    private static void awaitAll(SinkRig rig) throws Exception {
        long last = rig.last();
        Await.until("transaction " + last + " in Kafka", Duration.ofMinutes(3), () -> place(rig) >= last);
    }

    /** The number of the last transaction whose messages are committed. */
    private static long place(SinkRig rig) throws Exception {
        List<Received> places = rig.read("tributary-progress");
        return places.isEmpty()
                ? 0
                : Long.parseLong(
                        places.get(places.size() - 1).value().replaceAll(".*\"gtid\":\"[^:]*:(\\d+)\".*", "$1"));
    }
}
