package io.tributary.store;

import com.sun.management.OperatingSystemMXBean;
import io.tributary.common.io.DirectMemory;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The division of the store's memory budget.
 *
 * @param segmentSize bytes of a segment
 * @param writing segments for payload that is being processed, at least 1
 * @param high how many of these may be in use before payload goes to disk
 * @param reading segments for payload that is read back from disk
 * @param database bytes for RocksDB's write buffers and block cache
 */
record MemoryPlan(int segmentSize, int writing, int high, int reading, long database) {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryPlan.class);
    private static final long MOST_DATABASE = 96L << 20;
    private static final long SMALL_BUDGET = 32L << 20;
    /** The share of RocksDB, and that of reading back: an eighth of the memory each. */
    private static final int SHARE = 8;

    static MemoryPlan of(StoreConfig config) {
        return of(config, bytes(config.memory().memory().bytes()));
    }

    private static MemoryPlan of(StoreConfig config, long budget) {
        boolean hasDisk = config.mode() != StoreMode.MEMORY;
        long database = hasDisk ? database(budget) : 0;
        int size = (int) config.memory().segment().bytes();
        int segments = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(2, (budget - database) / size));
        int reading = hasDisk ? Math.max(1, segments / SHARE) : 0;
        int writing = segments - reading;
        int high = Math.max(1, (int) ((long) writing * config.spill().high() / 100));
        return new MemoryPlan(size, writing, high, reading, database);
    }

    /** An eighth; more of a small budget, because small write buffers create many files. */
    private static long database(long budget) {
        long share = Math.min(MOST_DATABASE, budget / SHARE);
        return budget < SMALL_BUDGET ? share : Math.max(share, Math.min(SMALL_BUDGET, budget / 4));
    }

    /**
     * The whole budget.
     *
     * @param configured bytes; 0 = a quarter of the machine's memory (in a container, of the container's), and at most five eighths of the JVM's
     *     direct memory
     */
    static long bytes(long configured) {
        long wanted = configured == 0 ? machine() / 4 : configured;
        long most = DirectMemory.limit()
                / 8
                * 5; // the rest: received bytes, encoded transactions, blocks to be written to files
        if (wanted > most && configured != 0) {
            LOG.warn(
                    "store memory is limited: store.memory={} used={} direct.memory={} action=\"start the JVM with a"
                            + " larger -XX:MaxDirectMemorySize to use more\"",
                    wanted,
                    most,
                    DirectMemory.limit());
        }
        return Math.min(wanted, most);
    }

    private static long machine() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
}
