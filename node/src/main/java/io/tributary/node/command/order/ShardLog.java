package io.tributary.node.command.order;

import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractTarget;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ReplicationClient;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TableRegistry;
import io.tributary.extractor.stream.Extractor;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Reads transactions from the binlogs of shards, as the pipeline does, but as a replica of its own: the node's stream is not disturbed. */
final class ShardLog {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int LINK_TOKENS = 256;
    private static final int MEMORY = 64 << 20;

    private final ExtractorConfig config;
    private final MysqlClient client;
    private final Clock clock;
    private final UUID reader;
    private final StoredFiles files;

    /**
     * @param files end the reading when the command is to end
     * @param shards the configuration with which the Task reads its shards
     * @param client is closed by the caller
     */
    ShardLog(StoredFiles files, ExtractorConfig shards, MysqlClient client, Clock clock) {
        this.files = files;
        this.reader = reader(clock);
        this.config = withServerId(shards, reader.getLeastSignificantBits() >>> 33 | 1 << 30);
        this.client = client;
        this.clock = clock;
    }

    /** A UUID that no other replica of the shards has. */
    private static UUID reader(Clock clock) {
        String unique = ProcessHandle.current().pid() + "|" + clock.epochMicros() + "|" + clock.nanoTime();
        return UUID.nameUUIDFromBytes(unique.getBytes(StandardCharsets.US_ASCII));
    }

    /** MariaDB ends the older one of two streams with the same server id. */
    private static ExtractorConfig withServerId(ExtractorConfig of, long serverId) {
        return new ExtractorConfig(
                serverId,
                of.payloadLimit(),
                of.queue(),
                Duration.ofSeconds(1),
                of.reconnectMin(),
                of.reconnectMax(),
                of.filterSchemas(),
                of.filterAccounts(),
                of.ddlHidden(),
                of.shards(),
                of.tableMap());
    }

    /**
     * Reads a shard.
     *
     * @param from where to begin
     * @param whole receives all transactions so far after each one; true ends the reading
     * @throws TributaryException SHARD_POSITION_PURGED, SHARD_UNREACHABLE and others of an extractor; READER_REFUSED if the configuration lacks the shard
     */
    List<SourceTransaction> read(ShardCut from, Predicate<List<SourceTransaction>> whole) {
        ShardConfig shard = config.shards().get(from.name());
        if (shard == null) {
            throw StoredFiles.refused("expected the keys shard." + from.name()
                    + ".* in the configuration, because the transactions between two cuts are found in the shard's binlog, found none:"
                    + " name the configuration of the Task with --task");
        }
        Link<Token> link = new Link<>("order-" + from.name(), LINK_TOKENS, clock);
        try (Metrics metrics = new Metrics();
                PayloadStore store = new PayloadStore(memory(), metrics)) {
            Extractor extractor = new Extractor(
                    new ShardSource(0, shard, from),
                    new ReplicationClient(config, reader, client, clock),
                    new ExtractTarget(ExtractOrder.xa(), store, new TableRegistry(0)),
                    link,
                    metrics);
            try {
                return read(from.name(), extractor, link, whole);
            } finally {
                extractor.close();
                for (Token token = link.poll(); token != null; token = link.poll()) {
                    token.release();
                }
            }
        }
    }

    private static StoreConfig memory() {
        ByteSize size = new ByteSize(MEMORY);
        return new StoreConfig(
                new StoreMemory(size, new ByteSize(1 << 18)),
                new SpillLimits(size, size, 90, size),
                new ByteSize(MEMORY),
                Path.of("unused"),
                StoreMode.MEMORY);
    }

    private List<SourceTransaction> read(
            String shard, Extractor extractor, Link<Token> link, Predicate<List<SourceTransaction>> whole) {
        List<SourceTransaction> all = new ArrayList<>();
        long deadline = clock.nanoTime() + LIMIT_NANOS;
        while (!whole.test(all)) {
            files.requireRunning();
            int done = extractor.doWork();
            Token token = link.poll();
            while (token != null && !whole.test(all)) {
                all.add(SourceTransaction.take(token));
                deadline = clock.nanoTime() + LIMIT_NANOS;
                done++;
                token = link.poll();
            }
            if (token != null) {
                token.release();
            }
            if (clock.nanoTime() - deadline > 0 || !extractor.held().isEmpty()) {
                throw new TributaryException(
                        ErrorCode.SHARD_UNREACHABLE,
                        "shard " + shard + ": expected more transactions of its binlog, found none within "
                                + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s after "
                                + all.size() + " transactions "
                                + extractor.held());
            }
            if (done == 0) {
                LockSupport.parkNanos(Math.min(1_000_000, Math.max(50_000, extractor.restNanos())));
            }
        }
        return all;
    }

    /** A condition that ends reading when a set of GTIDs was read. */
    static Predicate<List<SourceTransaction>> until(GtidSet missing) {
        long[] left = {missing.count()};
        int[] seen = {0};
        return all -> {
            for (; seen[0] < all.size(); seen[0]++) {
                left[0] -= missing.contains(all.get(seen[0]).gtid()) ? 1 : 0;
            }
            return left[0] <= 0;
        };
    }
}
