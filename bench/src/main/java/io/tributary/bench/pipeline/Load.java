package io.tributary.bench.pipeline;

import io.tributary.bench.source.CannedBinlog;
import io.tributary.bench.source.SourceProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The content of all shards together.
 *
 * @param statements number of transactions that are DDL
 * @param ofShards number of transactions of each shard
 */
record Load(long bytes, long events, long transactions, long statements, List<Long> ofShards) {
    static Load of(List<CannedBinlog> binlogs, int laps) {
        return new Load(
                sum(binlogs, binlog -> binlog.bytes(laps)),
                sum(binlogs, binlog -> binlog.events(laps)),
                sum(binlogs, binlog -> binlog.transactions(laps)),
                sum(binlogs, CannedBinlog::statements),
                binlogs.stream().map(binlog -> binlog.transactions(laps)).toList());
    }

    private static long sum(List<CannedBinlog> binlogs, ToLongFunction<CannedBinlog> part) {
        return binlogs.stream().mapToLong(part).sum();
    }

    /** The argument PORT:TRANSACTIONS of each shard. */
    List<String> shardArguments(SourceProcess source) {
        List<String> arguments = new ArrayList<>();
        for (String shard : source.shards()) {
            arguments.add(source.port(shard) + ":" + ofShards.get(arguments.size()));
        }
        return arguments;
    }

    double mib() {
        return bytes / 1048576.0;
    }
}
