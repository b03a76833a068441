package io.tributary.bench.pipeline;

import io.tributary.bench.source.CannedBinlog;
import java.util.List;
import java.util.function.ToLongFunction;

/** What all shards together hold. */
record Load(long bytes, long events, long transactions, long statements) {
    static Load of(List<CannedBinlog> binlogs, int laps) {
        return new Load(
                sum(binlogs, binlog -> binlog.bytes(laps)),
                sum(binlogs, binlog -> binlog.events(laps)),
                sum(binlogs, binlog -> binlog.transactions(laps)),
                sum(binlogs, CannedBinlog::statements));
    }

    private static long sum(List<CannedBinlog> binlogs, ToLongFunction<CannedBinlog> part) {
        return binlogs.stream().mapToLong(part).sum();
    }

    double mib() {
        return bytes / 1048576.0;
    }
}
