package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.Ports;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The nodes of topology {@code split}: a Task and a Dumper with a proxy between them. */
final class Split {
    private Split() {}

    static Nodes open(Path folder, ProxySetup proxies) throws SQLException {
        int between = Ports.free();
        LocalCluster cluster = LocalCluster.withShards(
                folder,
                ProxySetup.shards(),
                config -> proxies.common(config).set("transmit.task", proxies.through(Link.TASK, between)),
                "--role",
                "dumper");
        NodeProcess task = cluster.newNode(
                "task", config -> config.set("transmit.listen", "127.0.0.1:" + between), "--role", "task");
        return new FixedNodes(cluster, Map.of(Role.TASK, List.of(task), Role.LEADER, List.of(cluster.node())));
    }
}
