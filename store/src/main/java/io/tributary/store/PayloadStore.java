package io.tributary.store;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import java.util.Optional;
import java.util.Set;

/**
 * The payload of all transactions that a node is processing, under one memory budget. It makes an appender for each extractor. Large payload, and
 * payload that waits while memory is short, is stored on disk.
 *
 * <p>Closing it wipes the spill; memory is freed when no payload is held any more.
 */
public final class PayloadStore implements AutoCloseable {
    private final StoreConfig config;
    private final SegmentPool pool;
    private final StoreQuota quota;
    private final TokenBudget tokens;
    private final Spill spill; // null in mode memory

    /**
     * Locks and wipes the spill's folder (not in mode memory). RocksDB is opened only when something spills.
     *
     * @throws io.tributary.common.error.TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE
     */
    public PayloadStore(StoreConfig config, Metrics metrics) {
        this.config = config;
        MemoryPlan plan = MemoryPlan.of(config);
        this.spill = config.mode() == StoreMode.MEMORY
                ? null
                : new Spill(
                        new SpillDirectory(config.directory()),
                        config.spill().diskMax().bytes(),
                        plan.database());
        this.pool = new SegmentPool(plan, spill);
        this.tokens = TokenBudget.of(config);
        this.quota = new StoreQuota(pool, spill, config.mode(), tokens);
        metrics.register(Metric.STORE_MEMORY, this::memoryInUse);
        metrics.register(Metric.STORE_SPILLED, this::spilled);
        metrics.register(Metric.STORE_DISK, this::diskInUse);
        metrics.register(Metric.STORE_WRITTEN, () -> spill == null ? 0 : spill.writtenBytes());
        metrics.register(Metric.STORE_READ, this::readBytes);
        metrics.register(Metric.STORE_WAITING, this::waiting);
        metrics.register(Metric.STORE_TOKENS, tokens::used);
    }

    /**
     * A new appender; the caller closes it before the store.
     *
     * @param name for messages, such as the shard's name
     */
    public PayloadAppender appender(String name) {
        return appender(name, Set.of(name));
    }

    /**
     * A new appender for the payload of several shards.
     *
     * @param name for messages
     * @param shards their names: while they hold too much, here or as {@link HeldTokens}, the appender has no room
     */
    public PayloadAppender appender(String name, Set<String> shards) {
        return new PayloadAppender(name, quota.open(name, shards), config, pool, quota);
    }

    /** An object with which a holder of a shard's tokens reports how many it holds; the holder closes it. */
    public HeldTokens heldTokens(String shard) {
        return tokens.open(shard, () -> appender("(waiting transactions of " + shard + ")", Set.of()));
    }

    /**
     * A stage that moves payload to disk before the memory is needed. It waits for the disk, so it needs a thread of its own. Without it the
     * appenders do that work when memory is short. Empty in mode memory.
     */
    public Optional<Stage> mover() {
        return spill == null ? Optional.empty() : Optional.of(new SpillWriter(pool, spill));
    }

    /** A store for values of tables, a few of them on the heap and the rest on disk. */
    public TableShapeStore catalogue(String name) {
        return new TableShapeStore(name, spill);
    }

    /** Bytes of memory in use: all segments, and what RocksDB uses; any thread. */
    public long memoryInUse() {
        return pool.bytesInUse() + (spill == null ? 0 : spill.memoryInUse());
    }

    /** Bytes of all segments in memory; any thread. */
    long segmentsInUse() {
        return pool.bytesInUse();
    }

    /** Bytes of payload held on disk; any thread. */
    public long spilled() {
        return spill == null ? 0 : spill.heldBytes();
    }

    /** Bytes on disk, also of payload that has been released; any thread. */
    long diskInUse() {
        return spill == null ? 0 : spill.diskBytes();
    }

    /** Bytes of payload ever read back from disk; any thread. */
    public long readBytes() {
        return spill == null ? 0 : spill.readBytes();
    }

    /** Shards whose reading waits until payload is released; any thread. */
    public long waiting() {
        return quota.waiting();
    }

    /** Which limit has been reached, and how much each shard holds; for messages, any thread. */
    public String state() {
        return quota.state();
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
