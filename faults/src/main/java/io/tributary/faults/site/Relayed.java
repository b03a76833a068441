package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.Ports;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The nodes of topology {@code relays}: a relay that reads the first shard, a Task that reads the other, and a Dumper; a proxy on each link. */
final class Relayed {
    private static final String FIRST = ProxySetup.SHARDS.get(0);

    private Relayed() {}

    static Nodes open(Path folder, ProxySetup proxies) throws SQLException {
        int task = Ports.free();
        int relay = Ports.free();
        LocalCluster cluster = LocalCluster.withShards(
                folder,
                ProxySetup.shards(),
                config -> proxies.common(config).set("transmit.task", proxies.through(Link.TASK, task)),
                "--role",
                "dumper");
        NodeProcess relayNode = cluster.newNode(
                "relay", config -> onlyFirst(config).set("transmit.listen", "127.0.0.1:" + relay), "--role", "relay");
        NodeProcess taskNode = cluster.newNode(
                "task",
                config -> config.set("transmit.listen", "127.0.0.1:" + task)
                        .set("relay.left.address", proxies.through(Link.RELAY, relay))
                        .set("relay.left.shards", FIRST),
                "--role",
                "task");
        return new FixedNodes(
                cluster,
                Map.of(
                        Role.RELAY,
                        List.of(relayNode),
                        Role.TASK,
                        List.of(taskNode),
                        Role.LEADER,
                        List.of(cluster.node())));
    }

    static NodeConfig onlyFirst(NodeConfig config) {
        for (String shard : ProxySetup.SHARDS.subList(1, ProxySetup.SHARDS.size())) {
            for (String key : List.of("host", "port", "user", "password", "tls")) {
                config.remove("shard." + shard + "." + key);
            }
        }
        return config;
    }
}
