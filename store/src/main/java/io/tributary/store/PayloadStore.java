package io.tributary.store;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;

/**
 * The payload of all transactions on their way through a node, under one memory budget. It makes an appender for each extractor;
 * what is too large, or comes while memory is short, lies on disk.
 *
 * <p>Closing it wipes the spill; memory comes back once nobody holds a payload any more.
 */
public final class PayloadStore implements AutoCloseable {
    private static final int CHUNK = 256 << 10;

    private final StoreConfig config;
    private final SegmentPool pool;
    private final Spill spill; // null in mode memory

    /**
     * Takes and wipes the spill's folder (not in mode memory). RocksDB is opened only when something spills.
     *
     * @throws io.tributary.common.error.TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE
     */
    public PayloadStore(StoreConfig config, Metrics metrics) {
        this.config = config;
        int segmentSize = (int) config.segment().bytes();
        long budget = MemoryBudget.bytes(config.memory().bytes());
        boolean mayBeShort = config.mode() == StoreMode.AUTO;
        this.pool = new SegmentPool(segmentSize, mayBeShort ? budget / 100 * config.spillHigh() : budget);
        this.spill = config.mode() == StoreMode.MEMORY
                ? null
                : new Spill(
                        new SpillDirectory(config.directory()),
                        Math.min(CHUNK, segmentSize),
                        config.diskMax().bytes());
        metrics.register(Metric.STORE_MEMORY, this::memoryInUse);
        metrics.register(Metric.STORE_SPILLED, this::spilled);
    }

    /**
     * A new appender; the caller closes it before the store.
     *
     * @param name for messages, such as the shard's name
     */
    public PayloadAppender appender(String name) {
        return new PayloadAppender(name, config, pool, spill);
    }

    /** Bytes of all segments in use; any thread. */
    public long memoryInUse() {
        return pool.bytesInUse();
    }

    /** Bytes of payload held on disk; any thread. */
    public long spilled() {
        return spill == null ? 0 : spill.heldBytes();
    }

    /** Whether RocksDB has been opened; any thread. */
    public boolean hasSpilled() {
        return spill != null && spill.isOpen();
    }

    @Override
    public void close() {
        if (spill != null) {
            spill.close();
        }
    }
}
