package io.tributary.bench.collect;

import com.sun.management.ThreadMXBean;
import io.tributary.bench.stage.Settings;
import io.tributary.collector.CollectorConfig;
import io.tributary.collector.CollectorLinks;
import io.tributary.collector.CollectorResources;
import io.tributary.collector.CollectorStages;
import io.tributary.collector.OrderStart;
import io.tributary.collector.rows.CollectorStore;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.Token;
import io.tributary.store.HeldTokens;
import io.tributary.store.JournalMap;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.store.StoreConfig;
import io.tributary.store.TableShapeStore;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Runs the stages of the collector on the calling thread, so that the thread's CPU is theirs. First tokens are created, without measurement;
 * then, with measurement, they are put into order, encoded, and released as chunks.
 */
final class CollectLoop implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int AT_ONCE = 4096;
    private static final int TOKENS = 4 * AT_ONCE + 1024;

    private final Metrics metrics = new Metrics();
    private final PayloadStore store = new PayloadStore(
            Settings.of(StoreConfig.class, Map.of("store.mode", "memory", "store.memory", "256MiB")), metrics);
    private final PayloadAppender payload = store.appender("bench");
    private final Link<Token> in = new Link<>("merged", TOKENS, Clock.SYSTEM);
    private final Sink sink = new Sink();
    private final TokenFeed feed;
    private final List<Stage> stages;
    private long cpuNanos;
    private long heapBytes;

    /** Accepts chunks and releases them at once. */
    private static final class Sink implements Outlet<Chunk> {
        private long transactions;

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void put(Chunk chunk) {
            if (chunk instanceof Chunk.Batch batch) {
                transactions += batch.lengths().length;
            }
            chunk.release();
        }
    }

    /**
     * The average cost of a transaction.
     *
     * @param cpuNanos CPU of the thread in ns
     * @param heapBytes allocated bytes on the heap
     */
    record Cost(double cpuNanos, double heapBytes) {}

    private final List<CompletableFuture<Void>> listed = new ArrayList<>();

    CollectLoop(Mix mix) {
        this.feed = new TokenFeed(mix, in, payload);
        CollectorStore store = new CollectorStore(
                TableShapeStore.onHeap(),
                shard -> HeldTokens.unbounded(),
                () -> {
                    throw new IllegalStateException("unexpected request to leave out a row");
                },
                (view, at, end, physical) -> {
                    throw new IllegalStateException("unexpected request to rename a table");
                },
                JournalMap.onHeap());
        CollectorStages made = CollectorStages.of(
                Settings.of(
                        CollectorConfig.class,
                        Map.of("binlog.parallel", mix.parallel().name().toLowerCase(Locale.ROOT))),
                new CollectorStages.Origin(1, 80036),
                new OrderStart(OrderMode.XA, start()),
                new CollectorLinks(in, sink, new RoundRequest(), () -> 1),
                new CollectorResources(store, metrics, Clock.SYSTEM));
        for (int shard = 0; shard < TokenFeed.SHARDS; shard++) {
            listed.add(made.collector()
                    .tables(
                            shard,
                            new ShardTables(
                                    ServerVersion.STANDARD,
                                    new ShardTables.ReadSpan(GtidSet.EMPTY, GtidSet.EMPTY),
                                    List.of(new ShardTables.Name(TokenFeed.ORDERS, TokenFeed.ORDERS)),
                                    TokenFeed.texts(),
                                    List.of())));
        }
        this.stages = made.all();
    }

    private static Cut start() {
        List<ShardCut> shards = new ArrayList<>();
        for (int shard = 0; shard < TokenFeed.SHARDS; shard++) {
            String uuid = TokenFeed.uuid(shard).toString();
            shards.add(ShardCut.unread("s" + shard, uuid, GtidSet.EMPTY, GtidSet.EMPTY));
        }
        return Cut.beginning(shards).under(1);
    }

    /** Collects at least this many transactions. */
    Cost collect(long transactions) throws Exception {
        cpuNanos = 0;
        heapBytes = 0;
        long before = sink.transactions;
        long end = feed.transactions() + transactions;
        while (feed.transactions() < end) {
            feed.send(AT_ONCE);
            drain();
        }
        feed.finish();
        drain();
        if (sink.transactions != feed.transactions()) {
            throw new IllegalStateException(
                    "expected " + feed.transactions() + " transactions, found " + sink.transactions);
        }
        double all = sink.transactions - before;
        return new Cost(cpuNanos / all, heapBytes / all);
    }

    private void drain() throws Exception {
        long thread = Thread.currentThread().getId();
        long heap = THREADS.getThreadAllocatedBytes(thread);
        long cpu = THREADS.getCurrentThreadCpuTime();
        int done;
        do {
            done = 0;
            for (Stage stage : stages) {
                done += stage.doWork();
            }
        } while (done > 0);
        cpuNanos += THREADS.getCurrentThreadCpuTime() - cpu;
        heapBytes += THREADS.getThreadAllocatedBytes(thread) - heap;
    }

    @Override
    public void close() {
        stages.forEach(Stage::close);
        payload.close();
        store.close();
        metrics.close();
    }
}
