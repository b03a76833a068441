package io.tributary.node.dumper;

import io.tributary.backup.BackupTurn;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.Config;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.process.FailureSink;
import io.tributary.serve.statement.NodeTables;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
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

    /** These services with metrics that are closed earlier. */
    DumperServices withMetrics(Metrics own) {
        return new DumperServices(config, live, node, identity, directory, backup, turn, tables, own, clock);
    }

    /** How many Dumpers decide in the cluster. */
    Quorum quorum() {
        return quorum(config);
    }

    /** How many Dumpers decide in a cluster with this configuration. */
    public static Quorum quorum(Config config) {
        return config.get(ReplicateConfig.class)
                .topology()
                .quorum(config.get(CoordinationConfig.class).dumpers());
    }

    /** How long a leader stays leader while it cannot do its work. */
    Duration resignTimeout() {
        CoordinationConfig.Timeouts timeouts =
                config.get(CoordinationConfig.class).timeouts();
        // a lost node is a member for up to a lease; a healthy one may be silent for a keepalive
        return Collections.max(List.of(
                timeouts.resign(), timeouts.lease(), replicate().transport().keepAlive()));
    }

    ReplicateConfig replicate() {
        return config.get(ReplicateConfig.class);
    }

    BackupRunner backupRunner(boolean purges, Metrics own, FailureSink failure) {
        return new BackupRunner(backup, turn, purges, own, failure);
    }

    ReaderService readerService(Metrics own) {
        return new ReaderService(live, tables, backup, own, clock);
    }
}
