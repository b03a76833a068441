package io.tributary.bench.pipeline;

import picocli.CommandLine.Option;

/** How many canned binlogs a whole node reads, and of what size. */
final class CannedLoad {
    @Option(names = "--shards", defaultValue = "4", description = "How many shards; default ${DEFAULT-VALUE}.")
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
