package io.tributary.faults.site;

import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.Ports;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All processes on loopback. The other nodes connect to each node at its own address, on which a proxy listens for it. Each node has its own proxy to
 * ZooKeeper.
 */
final class LoopbackNetwork implements FaultNetwork {
    private static final String DOOR = "127.0.0.2";

    private final Map<NodeProcess, TcpProxy> doors = new HashMap<>();
    private final Map<String, TcpProxy> toZooKeeper = new HashMap<>(); // by the node's name

    @Override
    public List<MysqlOptions> shards() {
        return ProxySetup.shards();
    }

    @Override
    public ZooKeeperProcess zookeeper(Path folder, int tickMillis) {
        return new ZooKeeperProcess(folder, tickMillis);
    }

    @Override
    public NodeConfig addressed(NodeConfig config, String name, String listen, ZooKeeperProcess zookeeper) {
        TcpProxy meets = toZooKeeper.computeIfAbsent(name, unused -> TcpProxy.to(zookeeper.port()));
        return config.set("node.host", DOOR)
                .set("cluster.zookeeper", "127.0.0.1:" + meets.port())
                .set(listen, "127.0.0.1:" + Ports.free());
    }

    @Override
    public void place(NodeProcess node, String listen) {
        doors.put(node, TcpProxy.standingFor(door(), Clustered.port(node, listen)));
    }

    private static InetAddress door() {
        try {
            return InetAddress.getByName(DOOR);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<TcpProxy> proxy(Link link, Nodes nodes) {
        return switch (link) {
            case RELAY -> Optional.of(doors.get(nodes.of(Role.RELAY).get(0)));
            case TASK -> Optional.of(doors.get(nodes.of(Role.TASK).get(0)));
            case FOLLOWERS -> Optional.of(doors.get(nodes.leader()));
            case ZOOKEEPER -> Optional.of(toZooKeeper.get(nodes.leader().name()));
            default -> Optional.empty();
        };
    }

    @Override
    public void close() {
        doors.values().forEach(TcpProxy::close);
        toZooKeeper.values().forEach(TcpProxy::close);
    }
}
