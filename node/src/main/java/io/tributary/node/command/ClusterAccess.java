package io.tributary.node.command;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.role.ClusterConfig;

/** Opens the coordinator of the cluster that a node's configuration names, to look at it and to ask for changes. */
final class ClusterAccess {
    private ClusterAccess() {}

    /** @throws TributaryException CLUSTER_UNREACHABLE; CONFIG_INVALID where there is no cluster */
    static ZooKeeperCoordinator open(ConfigFile file) {
        CoordinationConfig config = file.read(CoordinationConfig.class);
        if (config.zookeeper().isEmpty()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "expected cluster.zookeeper in the configuration: a node without it belongs to no cluster, tributary status tells of it");
        }
        String cluster = file.read(ClusterConfig.class).id();
        ZooKeeperCoordinator opened =
                new ZooKeeperCoordinator(config, cluster, "", new Quorum(1, Acknowledgement.LEADER), Clock.SYSTEM);
        boolean isOurs = false;
        try {
            var unused = opened.identity();
            isOurs = true;
            return opened;
        } finally {
            if (!isOurs) {
                opened.close();
            }
        }
    }
}
