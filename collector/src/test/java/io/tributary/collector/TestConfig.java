package io.tributary.collector;

import io.tributary.common.config.ByteSize;
import io.tributary.common.value.Removal;
import java.time.Duration;
import java.util.List;

/** Settings of a collector in tests: rows of another shape hold their shard. */
final class TestConfig {
    private TestConfig() {}

    /**
     * Those.
     *
     * @param batch bytes after which a batch is handed out
     * @param transactions after which it is
     * @param large bytes from which on a transaction is large
     */
    static CollectorConfig refusing(ByteSize batch, int transactions, ByteSize large, int workers) {
        return new CollectorConfig(
                Duration.ofSeconds(10),
                MixedRows.REFUSE,
                List.of(),
                Approximate.WARN,
                Removal.WAIT,
                Removal.WAIT,
                GeneratedKeys.DROP,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                BinlogParallel.SHARDS,
                Duration.ofSeconds(1),
                batch,
                transactions,
                large,
                workers);
    }
}
