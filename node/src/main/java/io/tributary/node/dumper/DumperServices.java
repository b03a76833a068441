package io.tributary.node.dumper;

import io.tributary.backup.BackupTurn;
import io.tributary.common.config.Config;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.file.BinlogConfig;
import io.tributary.dumper.file.BinlogDirectory;
import io.tributary.dumper.replicate.LogIdentity;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.serve.statement.NodeTables;
import io.tributary.node.process.FailureSink;
import java.util.function.Supplier;

/**
 * Objects that a Dumper of a cluster has for its whole life, as leader and as follower.
 *
 * @param config all keys, as at the start of the node
 * @param live the newest keys
 * @param node name of this node
 * @param identity of the log
 * @param directory whose lock this process holds
 * @param turn decides which Dumper backs up
 * @param tables about the node that readers may query
 */
public record DumperServices(
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
    /** The keys of the binlog, with the server version of the newest file if the configuration sets none. */
    BinlogConfig binlog() {
        BinlogConfig config = config().get(BinlogConfig.class);
        return config.serverVersion().isPresent()
                ? config
                : directory.newestVersion().map(config::withVersion).orElse(config);
    }

    /** Identity of this folder's copy of the binlog. */
    String copyId() {
        return directory.copyId(clock).toString();
    }

    ReplicateConfig replicate() {
        return config.get(ReplicateConfig.class);
    }

    BackupRunner backupRunner(boolean purges, Metrics own, FailureSink failure) {
        return new BackupRunner(backup, turn, purges, own, failure);
    }

    /** @param isCopy whether the files are copied from a leader */
    ReaderService readerService(boolean isCopy, Metrics own) {
        return new ReaderService(live, tables, backup, isCopy, own, clock);
    }
}
