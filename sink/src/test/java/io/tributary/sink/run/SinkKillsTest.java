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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the sink and its broker at random moments; {@code -Dkills} and {@code -Dseed} choose how often and when. */
class SinkKillsTest {
    private static final int KILLS = Integer.getInteger("kills", 4);
    private static final long SEED = Long.getLong("seed", 17);
    private static final int CONNECTIONS = 2;
    private static final int MOST_TRANSACTIONS = 400;

    @TempDir
    private Path folder;

    @Test
    void everyRowArrivesOnceAndInOrderWhileSinkAndBrokerAreKilled() throws Exception {
        System.out.println("seed=" + SEED + " kills=" + KILLS);
        try (SinkRig rig = new SinkRig(KafkaBrokers.one())) {
            rig.clear();
            RowLoad.create(rig.source());
            long first = rig.last() + 1;
            Random random = new Random(SEED);
            ExecutorService threads = Executors.newCachedThreadPool();
            ChildProcess sink = SinkProcess.start(rig, Guarantee.EXACTLY_ONCE, folder.resolve("sink.log"));
            try {
                for (int kill = 0; kill < KILLS; kill++) {
                    RowLoad load = new RowLoad(rig.source());
                    List<CompletableFuture<Void>> running = new ArrayList<>();
                    for (int i = 0; i < CONNECTIONS; i++) {
                        running.add(load.start(threads, i, random.nextLong()));
                    }
                    long until = 50L + random.nextInt(MOST_TRANSACTIONS);
                    Await.until("transactions", SinkRig.LIMIT, () -> load.transactions() >= until);
                    if (random.nextInt(4) > 0) {
                        long before = place(rig);
                        Await.until("more messages", SinkRig.LIMIT, () -> place(rig) > before);
                    }
                    if (random.nextInt(3) == 0) {
                        rig.brokers().first().kill9();
                        rig.brokers().first().restart();
                    } else {
                        sink.close();
                        sink = SinkProcess.start(rig, Guarantee.EXACTLY_ONCE, folder.resolve("sink.log"));
                    }
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
            System.out.println("messages=" + all.size());
        }
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
