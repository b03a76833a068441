package io.tributary.faults.site;

import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.network.PrivateMachine;
import io.tributary.testkit.network.PrivateNetwork;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A private network: each node, each shard and ZooKeeper has its own machine; readers, replica and object store are at the bridge. */
final class NamespaceNetwork implements FaultNetwork {
    private final PrivateNetwork network;
    private final List<PrivateMachine> shards = new ArrayList<>();
    private final PrivateMachine zookeeper;
    private final Map<String, PrivateMachine> nodes = new HashMap<>(); // by name

    NamespaceNetwork(PrivateNetwork network) {
        this.network = network;
        this.zookeeper = network.machine();
    }

    @Override
    public List<MysqlOptions> shards() {
        List<MysqlOptions> options = new ArrayList<>();
        for (MysqlOptions shard : ProxySetup.shards()) {
            shards.add(network.machine());
            options.add(shard.on(shards.get(shards.size() - 1).place()));
        }
        return options;
    }

    @Override
    public ZooKeeperProcess zookeeper(Path folder, int tickMillis) {
        return new ZooKeeperProcess(folder, tickMillis, zookeeper.place());
    }

    @Override
    public NodeConfig addressed(NodeConfig config, String name, String listen, ZooKeeperProcess meets) {
        String address =
                nodes.computeIfAbsent(name, unused -> network.machine()).address();
        config.set("cluster.zookeeper", meets.address()).set("grpc.insecure", "true"); // private network
        for (String key : List.of(listen, "serve.listen", "admin.listen")) {
            config.set(key, address + ":" + Ports.free());
        }
        return config;
    }

    @Override
    public void place(NodeProcess node, String listen) {
        node.on(own(node).place());
    }

    private PrivateMachine own(NodeProcess node) {
        return nodes.get(node.name());
    }

    @Override
    public Optional<PacketLink> packets(Link link, Nodes all) {
        return Optional.of(
                switch (link) {
                    case SHARD -> PacketLink.to(shards.get(0), addresses(all.all()));
                    case RELAY ->
                        PacketLink.to(
                                own(all.of(Role.RELAY).get(0)), addresses(without(all.all(), all.of(Role.RELAY))));
                    case TASK -> PacketLink.to(own(all.of(Role.TASK).get(0)), addresses(all.dumpers()));
                    case FOLLOWERS ->
                        PacketLink.to(own(all.leader()), addresses(without(all.dumpers(), List.of(all.leader()))));
                    case ZOOKEEPER -> PacketLink.to(zookeeper, addresses(List.of(all.leader())));
                    case SERVE -> new PacketLink(machines(all.dumpers()), List.of(network.address()), true);
                    case STORE -> new PacketLink(machines(all.dumpers()), List.of(network.otherAddress()), false);
                });
    }

    private static List<NodeProcess> without(List<NodeProcess> some, List<NodeProcess> others) {
        return some.stream().filter(Predicate.not(others::contains)).toList();
    }

    private List<PrivateMachine> machines(List<NodeProcess> some) {
        return some.stream().map(this::own).toList();
    }

    private List<String> addresses(List<NodeProcess> some) {
        return machines(some).stream().map(PrivateMachine::address).toList();
    }

    @Override
    public Optional<PrivateMachine> machine(NodeProcess node) {
        return Optional.of(own(node));
    }

    @Override
    public void close() {
        network.close();
    }
}
