package io.tributary.bench.pipeline;

import picocli.CommandLine.Option;

/** The number and size of the canned binlogs that a whole node reads. */
final class CannedLoad {
    @Option(names = "--shards", defaultValue = "4", description = "Number of shards; default ${DEFAULT-VALUE}.")
    private int shards;

    @Option(
            names = "--mib",
            defaultValue = "256",
            description = "MiB of each shard's binlog; default ${DEFAULT-VALUE}.")
    private int mib;

    int shards() {
        return shards;
    }

    int mib() {
        return mib;
    }
}
