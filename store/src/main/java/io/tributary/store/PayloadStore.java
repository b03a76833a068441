package io.tributary.store;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import java.util.Optional;
import java.util.Set;

/**
 * The payload of all transactions on their way through a node, under one memory budget. It makes an appender for each extractor;
 * what is large, or waits while memory is short, lies on disk.
 *
 * <p>Closing it wipes the spill; memory comes back once nobody holds a payload any more.
 */
public final class PayloadStore implements AutoCloseable {
    private final StoreConfig config;
    private final SegmentPool pool;
    private final Admission admission;
    private final TokenBudget tokens;
    private final Spill spill; // null in mode memory

    /**
     * Takes and wipes the spill's folder (not in mode memory). RocksDB is opened only when something spills.
     *
     * @throws io.tributary.common.error.TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE
     */
    public PayloadStore(StoreConfig config, Metrics metrics) {
        this.config = config;
        MemoryPlan plan = MemoryPlan.of(config);
        this.spill = config.mode() == StoreMode.MEMORY
                ? null
                : new Spill(
                        new SpillDirectory(config.directory()), config.diskMax().bytes(), plan.database());
        this.pool = new SegmentPool(plan, spill);
        this.tokens = TokenBudget.of(config);
        this.admission = new Admission(pool, spill, config.mode(), tokens);
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
        return new PayloadAppender(name, admission.open(name, shards), config, pool, admission);
    }

    /** A place for one who holds tokens of a shard to say how many; he closes it. */
    public HeldTokens heldTokens(String shard) {
        return tokens.open(shard, () -> appender("(waiting transactions of " + shard + ")", Set.of()));
    }

    /**
     * Moves payload to disk ahead of those who need the memory, and waits for the disk: give it a thread of its own. Without it the
     * appenders do that work when memory is short. Empty in mode memory.
     */
    public Optional<Stage> mover() {
        return spill == null ? Optional.empty() : Optional.of(new Mover(pool, spill));
    }

    /** A place for what is known of tables, a little of it on the heap and the rest on disk. */
    public Catalogue catalogue(String name) {
        return new Catalogue(name, spill);
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

    /** Bytes on disk, also of payload that was released meanwhile; any thread. */
    public long diskInUse() {
        return spill == null ? 0 : spill.diskBytes();
    }

    /** Bytes of payload ever read back from disk; any thread. */
    public long readBytes() {
        return spill == null ? 0 : spill.readBytes();
    }

    /** Shards whose reading waits until payload is released; any thread. */
    public long waiting() {
        return admission.waiting();
    }

    /** What limit has been reached, and which shard holds how much; for messages, any thread. */
    public String state() {
        return admission.state();
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
