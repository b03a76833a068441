package io.tributary.bench.made;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.source.LargeTransactions;
import io.tributary.bench.source.MadeSource;
import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A run of a small node over one shard with a transaction of any size between small ones, and two other shards with small ones only. */
final class LargeRun {
    private static final int SMALL = 20_000;
    private static final int LEAST_OTHERS = 5_000;

    private final LargeTransactions large;
    private final Path folder;
    private final Map<String, String> keys;
    private final Map<String, String> environment;
    private final Duration limit;
    private boolean othersWereRead;

    /**
     * The result of a run.
     *
     * @param seconds from the first byte read until the last transaction is durable
     * @param usage usage of the node
     * @param storeMemory peak of the bytes of its store in memory
     * @param spilled peak of the bytes of its store on disk
     * @param othersWereRead whether transactions of other shards were read during the large one
     * @param file counts of its binlog files
     */
    record Outcome(
            double seconds,
            ProcessUsage usage,
            long storeMemory,
            long spilled,
            boolean othersWereRead,
            FileCount file) {}

    LargeRun(long bytes, Path folder, Map<String, String> keys, Map<String, String> environment, Duration limit) {
        this.large = new LargeTransactions("large", 100, bytes, 100);
        this.folder = folder;
        this.keys = keys;
        this.environment = environment;
        this.limit = limit;
    }

    /** The number of rows of the large transaction. */
    long largeRows() {
        return large.largeRows();
    }

    /** The number of transactions of all shards. */
    long transactions() {
        return large.count() + 2 * SMALL;
    }

    /** The number of rows of all shards. */
    long rows() {
        return large.largeRows() + 2 * (200 + 2 * SMALL);
    }

    Outcome run() throws IOException {
        LargeTransactions small = new LargeTransactions("small", SMALL, 0, 0);
        try (MadeSource source = MadeSource.start(List.of(large, small, small));
                MadeRun run = new MadeRun(source, folder, keys, environment)) {
            double seconds = run.run(limit, node -> check(source, node));
            ProcessUsage usage = run.usage();
            if (run.transactions() != transactions()) {
                throw new IllegalStateException("expected " + transactions()
                        + " transactions in the node's binlog, found " + run.transactions());
            }
            run.node().terminate();
            return new Outcome(
                    seconds,
                    usage,
                    run.peakStoreMemory(),
                    run.peakSpilled(),
                    othersWereRead,
                    FileCount.of(run.binlogs()));
        }
    }

    /** Checks that the other shards are read during the large transaction, as far as their links have space: in the order, the large one is first. */
    private void check(MadeSource source, NodeProcess node) {
        long sent = source.sentBytes(0);
        if (sent > large.largeBytes() / 10 && sent < large.largeBytes() / 10 * 9) {
            othersWereRead |= node.metric("tributary_extract_transactions_total") > LEAST_OTHERS;
        }
    }
}
