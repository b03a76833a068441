package io.tributary.node.cluster;

import io.tributary.common.config.Secret;
import java.time.Duration;
import java.util.Optional;

/** Configurations of nodes of a cluster in a ZooKeeper of a test. */
public final class TestCoordination {
    private TestCoordination() {}

    /** A node without a login; its timeouts are as long as its lease. */
    public static CoordinationConfig config(String node, String servers, String path, Duration lease, int dumpers) {
        return new CoordinationConfig(
                Optional.of(node),
                Optional.empty(),
                new ZooKeeperConfig(
                        Optional.of(servers), Optional.empty(), ZooKeeperConfig.Tls.NONE, Optional.of(path)),
                new CoordinationConfig.Timeouts(lease, lease),
                dumpers);
    }

    /** The same node with a login. */
    static CoordinationConfig withLogin(CoordinationConfig config, Optional<String> login) {
        ZooKeeperConfig zookeeper = config.zookeeper();
        return new CoordinationConfig(
                config.node(),
                config.host(),
                new ZooKeeperConfig(zookeeper.servers(), login.map(Secret::new), zookeeper.tls(), zookeeper.path()),
                config.timeouts(),
                config.dumpers());
    }
}
