package io.tributary.node.command;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.NodeIdentity;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.process.ClusterConfig;

/** The access of commands to the coordinator of the cluster in a node's configuration, to read its state and to request changes. */
final class ClusterAccess {
    private ClusterAccess() {}

    /** @throws TributaryException CLUSTER_UNREACHABLE; CONFIG_INVALID if the configuration has no cluster */
    static ZooKeeperCoordinator open(ConfigFile file) {
        CoordinationConfig config = file.read(CoordinationConfig.class);
        if (config.zookeeper().servers().isEmpty()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "expected cluster.zookeeper in the configuration, found none: a node without it belongs to no cluster, use tributary status");
        }
        String cluster = file.read(ClusterConfig.class).id();
        ZooKeeperCoordinator opened = new ZooKeeperCoordinator(
                config, NodeIdentity.own(cluster, ""), new Quorum(1, Acknowledgement.LEADER), Clock.SYSTEM);
        boolean isOpened = false;
        try {
            var unused = opened.identity();
            isOpened = true;
            return opened;
        } finally {
            if (!isOpened) {
                opened.close();
            }
        }
    }
}
