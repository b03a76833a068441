package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.network.PrivateMachine;
import io.tributary.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The nodes of topologies {@code cluster} and {@code network}, which find each other in ZooKeeper: a relay that reads the first shard while
 * it is a member, two Tasks that read the other shards, three Dumpers that elect their leader. The {@link FaultNetwork} defines how they connect
 * to each other.
 */
final class Clustered implements Nodes {
    private static final String TRANSMIT = "transmit.listen";
    private static final String REPLICATE = "dumper.listen";
    private static final int DUMPERS = 3;

    /** ZooKeeper's shortest session timeout is two ticks. */
    private static final int TICK_MILLIS = 200;

    private final FaultNetwork network;
    private final ZooKeeperProcess zookeeper;
    private final LocalCluster cluster;
    private final List<NodeProcess> relays = new ArrayList<>();
    private final List<NodeProcess> tasks = new ArrayList<>();
    private final List<NodeProcess> dumpers = new ArrayList<>();
    private NodeProcess lastLeader; // the result of the last call of leader()

    /** @param lease {@code cluster.lease} */
    Clustered(Path folder, ProxySetup proxies, FaultNetwork network, Duration lease) throws SQLException {
        this.network = network;
        this.zookeeper =
                network.zookeeper(folder.resolve("zookeeper"), TICK_MILLIS).launch();
        try {
            this.cluster = LocalCluster.withShards(
                    folder,
                    network.shards(),
                    config -> member(proxies.common(config), "d1", "dumper", REPLICATE)
                            .set("cluster.lease", lease.toMillis() + "ms")
                            .set("cluster.dumpers", Integer.toString(DUMPERS))
                            .set("dumper.ack", "majority")
                            .set("dumper.read", "any"));
        } catch (SQLException | RuntimeException e) {
            zookeeper.close();
            network.close();
            throw e;
        }
        relays.add(node("r1", "relay", Relayed::onlyFirst));
        for (int i = 1; i <= 2; i++) {
            tasks.add(node("t" + i, "task", config -> config));
        }
        dumpers.add(placed(cluster.node(), REPLICATE));
        for (int i = 2; i <= DUMPERS; i++) {
            dumpers.add(node("d" + i, "dumper", config -> config));
        }
    }

    private NodeProcess node(String name, String role, UnaryOperator<NodeConfig> change) {
        String listen = role.equals("dumper") ? REPLICATE : TRANSMIT;
        return placed(cluster.newNode(name, config -> change.apply(member(config, name, role, listen))), listen);
    }

    private NodeConfig member(NodeConfig config, String name, String role, String listen) {
        return network.addressed(config.set("node.id", name).set("node.roles", role), name, listen, zookeeper);
    }

    private NodeProcess placed(NodeProcess node, String listen) {
        network.place(node, listen);
        return node;
    }

    static int port(NodeProcess node, String key) {
        String listen = node.config().get(key);
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    @Override
    public void launch() {
        zookeeper.awaitServing(); // a node ends if it cannot connect to ZooKeeper within a few seconds
        Nodes.super.launch();
    }

    @Override
    public LocalCluster cluster() {
        return cluster;
    }

    @Override
    public List<NodeProcess> all() {
        List<NodeProcess> all = new ArrayList<>(relays);
        all.addAll(tasks);
        all.addAll(dumpers);
        return all;
    }

    @Override
    public List<NodeProcess> dumpers() {
        return List.copyOf(dumpers);
    }

    @Override
    public List<NodeProcess> of(Role role) {
        return switch (role) {
            case RELAY -> List.of(busy(relays, "a relay that reads for the Task"));
            case TASK -> List.of(running());
            case LEADER -> List.of(leader());
            case FOLLOWER -> {
                NodeProcess leader = leader();
                yield List.of(dumpers.stream()
                        .filter(node -> node != leader)
                        .findFirst()
                        .orElseThrow());
            }
        };
    }

    /** The Task that runs the pipeline. */
    private NodeProcess running() {
        return busy(tasks, "a Task that runs the pipeline");
    }

    /** The first node that sends a stream. A kill of a node without a stream would have no effect. */
    private static NodeProcess busy(List<NodeProcess> nodes, String description) {
        List<NodeProcess> found = new ArrayList<>();
        Await.until(description, TestCluster.LIMIT, () -> {
            nodes.stream()
                    .filter(node -> node.fact("streams").orElse("").startsWith("one"))
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    @Override
    public NodeProcess leader() {
        if (lastLeader != null
                && all().stream().noneMatch(node -> node.process().isAlive())) {
            return longest(); // all have ended, one after another: the last leader has the longest file
        }
        Await.until("a leader that serves", TestCluster.LIMIT, () -> {
            lastLeader = newest();
            return lastLeader != null;
        });
        return lastLeader;
    }

    private NodeProcess longest() {
        return dumpers.stream().max(Comparator.comparing(Clustered::end)).orElseThrow();
    }

    /** The name and length of its last file, as a text that sorts by position. */
    private static String end(NodeProcess dumper) {
        try (Stream<Path> files = Files.list(Path.of(dumper.config().get("binlog.directory")))) {
            Path last = files.filter(file -> file.getFileName().toString().matches("binlog\\.\\d{6}"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            return String.format(Locale.ROOT, "%s %012d", last.getFileName(), Files.size(last));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The Dumper that leads under the newest epoch that any Dumper reports, and serves readers; null if there is none. */
    private NodeProcess newest() {
        NodeProcess found = null;
        long newest = 0;
        for (NodeProcess node : dumpers) {
            Map<String, String> facts = node.facts();
            long epoch = Long.parseLong(facts.getOrDefault("epoch", "0"));
            boolean leads = "leads".equals(facts.get("state.in.cluster"))
                    && facts.getOrDefault("serves", "").contains(":");
            if (epoch > newest) {
                found = null;
                newest = epoch;
            }
            if (epoch == newest && leads) {
                found = node;
            }
        }
        return found;
    }

    @Override
    public Optional<TcpProxy> link(Link link) {
        return network.proxy(link, this);
    }

    @Override
    public Optional<PacketLink> packets(Link link) {
        return network.packets(link, this);
    }

    @Override
    public Optional<PrivateMachine> machine(NodeProcess node) {
        return network.machine(node);
    }

    @Override
    public Optional<ZooKeeperProcess> zookeeper() {
        return Optional.of(zookeeper);
    }

    @Override
    public void close() {
        try (zookeeper) {
            cluster.close();
        } finally {
            network.close();
        }
    }
}
