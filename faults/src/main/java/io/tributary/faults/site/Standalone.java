package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The node of topology {@code standalone}: one process with all roles. */
final class Standalone {
    private Standalone() {}

    static Nodes open(Path folder, ProxySetup proxies) throws SQLException {
        LocalCluster cluster = LocalCluster.withShards(folder, ProxySetup.shards(), proxies::common);
        return new FixedNodes(cluster, Map.of(Role.LEADER, List.of(cluster.node())));
    }
}
