package io.tributary.collector;

import io.tributary.collector.rows.MixedRows;
import io.tributary.common.config.ByteSize;
import io.tributary.common.value.Removal;
import java.time.Duration;
import java.util.List;

/** Settings of a collector in tests: rows of another shape hold their shard. */
final class TestConfig {
    private TestConfig() {}

    /**
     * A configuration whose rows of another shape hold their shard.
     *
     * @param batch bytes after which a batch is handed out
     * @param transactions number of transactions after which a batch is handed out
     * @param large bytes above which a transaction is large
     */
    static CollectorConfig refusing(ByteSize batch, int transactions, ByteSize large, int workers) {
        return refusing(BinlogParallel.SHARDS, new BatchConfig(batch, transactions, large, workers));
    }

    /** The same with this value of binlog.parallel. */
    static CollectorConfig refusing(BinlogParallel parallel, BatchConfig batch) {
        return new CollectorConfig(
                Duration.ofSeconds(10),
                new DdlConfig(
                        new DdlConfig.RowShapes(MixedRows.REFUSE, List.of()),
                        Approximate.WARN,
                        new DdlConfig.Removals(Removal.WAIT, Removal.WAIT),
                        GeneratedKeys.DROP,
                        new DdlConfig.Reports(Duration.ofMinutes(1), Duration.ofMinutes(1))),
                parallel,
                Duration.ofSeconds(1),
                batch);
    }
}
