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

/** One shard with a transaction of any size among small ones, and two others with small ones only, through a small node. */
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
     * What came out.
     *
     * @param seconds from the first byte read to the last transaction durable
     * @param usage of the node
     * @param storeMemory most bytes that its store had in memory
     * @param spilled most bytes that its store had on disk
     * @param othersWereRead whether other shards' transactions were read while the large one was
     * @param file what its binlog files hold
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

    /** Rows that stand in the large transaction. */
    long largeRows() {
        return large.largeRows();
    }

    /** All transactions of all shards. */
    long transactions() {
        return large.count() + 2 * SMALL;
    }

    /** All rows of all shards. */
    long rows() {
        return large.largeRows() + 2 * (200 + 2 * SMALL);
    }

    Outcome run() throws IOException {
        LargeTransactions small = new LargeTransactions("small", SMALL, 0, 0);
        try (MadeSource source = MadeSource.start(List.of(large, small, small));
                MadeRun run = new MadeRun(source, folder, keys, environment)) {
            double seconds = run.run(limit, node -> look(source, node));
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

    /** While the large one is being read the others are read on, as far as their links take them: the order needs the large one first. */
    private void look(MadeSource source, NodeProcess node) {
        long sent = source.sentBytes(0);
        if (sent > large.largeBytes() / 10 && sent < large.largeBytes() / 10 * 9) {
            othersWereRead |= node.metric("tributary_extract_transactions_total") > LEAST_OTHERS;
        }
    }
}
