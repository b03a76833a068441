package io.tributary.node.role;

import io.tributary.backup.BackupTurn;
import io.tributary.common.config.Config;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.replicate.LogIdentity;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.serve.NodeTables;
import java.util.function.Supplier;

/**
 * What a Dumper of a cluster has as long as it lives, whether it leads or follows.
 *
 * @param config all keys, as the node was started
 * @param live the newest ones
 * @param node its name
 * @param identity of the log
 * @param directory whose lock it holds
 * @param turn which of them backs up
 * @param tables what readers may ask of the node
 */
record DumperParts(
        Config config,
        Supplier<Config> live,
        String node,
        LogIdentity identity,
        BinlogDirectory directory,
        NodeBackup backup,
        BackupTurn turn,
        NodeTables tables,
        Metrics metrics,
        Clock clock) {
    /** Names the server version that the newest file has, where the configuration names none. */
    BinlogConfig binlog() {
        BinlogConfig config = config().get(BinlogConfig.class);
        return config.serverVersion().isPresent()
                ? config
                : directory.newestVersion().map(config::withVersion).orElse(config);
    }

    /** Which copy of the binlog its folder has. */
    String copyId() {
        return directory.copyId(clock).toString();
    }

    ReplicateConfig replicate() {
        return config.get(ReplicateConfig.class);
    }

    Upkeep upkeep(boolean purges, Metrics own, FailureSink failure) {
        return new Upkeep(backup, turn, purges, own, failure);
    }

    /** @param isCopy whether the files are copied from a leader */
    ReaderDesk desk(boolean isCopy, Metrics own) {
        return new ReaderDesk(live, tables, backup, isCopy, own, clock);
    }
}
