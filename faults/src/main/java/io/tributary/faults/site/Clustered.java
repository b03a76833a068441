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
 * Nodes that find each other in ZooKeeper: a relay that reads the first shard while it is there, two Tasks that read the rest, three Dumpers that
 * elect their leader. The ground says how they reach each other.
 */
final class Clustered implements Nodes {
    private static final String TRANSMIT = "transmit.listen";
    private static final String REPLICATE = "dumper.listen";
    private static final int DUMPERS = 3;

    /** ZooKeeper keeps sessions for two ticks at the least. */
    private static final int TICK_MILLIS = 200;

    private final Ground ground;
    private final ZooKeeperProcess zookeeper;
    private final LocalCluster cluster;
    private final List<NodeProcess> relays = new ArrayList<>();
    private final List<NodeProcess> tasks = new ArrayList<>();
    private final List<NodeProcess> dumpers = new ArrayList<>();
    private NodeProcess led; // who led when it was asked last

    /** @param lease of the Dumpers' leader */
    Clustered(Path folder, Wiring wiring, Ground ground, Duration lease) throws SQLException {
        this.ground = ground;
        this.zookeeper =
                ground.zookeeper(folder.resolve("zookeeper"), TICK_MILLIS).launch();
        try {
            this.cluster = LocalCluster.withShards(
                    folder,
                    ground.shards(),
                    config -> member(wiring.common(config), "d1", "dumper", REPLICATE)
                            .set("cluster.lease", lease.toMillis() + "ms")
                            .set("cluster.dumpers", Integer.toString(DUMPERS))
                            .set("dumper.ack", "majority")
                            .set("dumper.read", "any"));
        } catch (SQLException | RuntimeException e) {
            zookeeper.close();
            ground.close();
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
        return ground.addressed(config.set("node.id", name).set("node.roles", role), name, listen, zookeeper);
    }

    private NodeProcess placed(NodeProcess node, String listen) {
        ground.place(node, listen);
        return node;
    }

    static int port(NodeProcess node, String key) {
        String listen = node.config().get(key);
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    @Override
    public void launch() {
        zookeeper.awaitServing(); // nodes give it up after a few seconds
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

    /** The first that sends a stream: one that nobody reads from is no loss when it dies. */
    private static NodeProcess busy(List<NodeProcess> nodes, String what) {
        List<NodeProcess> found = new ArrayList<>();
        Await.until(what, Site.LIMIT, () -> {
            nodes.stream()
                    .filter(node -> node.fact("streams").orElse("").startsWith("one"))
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    @Override
    public NodeProcess leader() {
        if (led != null && all().stream().noneMatch(node -> node.process().isAlive())) {
            return longest(); // all have ended, one after another: who led last is the one that went on
        }
        Await.until("a leader that serves", Site.LIMIT, () -> {
            led = newest();
            return led != null;
        });
        return led;
    }

    private NodeProcess longest() {
        return dumpers.stream().max(Comparator.comparing(Clustered::end)).orElseThrow();
    }

    /** The last of its files, and how long that is: grows with what it has. */
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

    /** Who leads under the newest epoch that any Dumper knows, and serves; null for nobody. */
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
        return ground.proxy(link, this);
    }

    @Override
    public Optional<PacketLink> packets(Link link) {
        return ground.packets(link, this);
    }

    @Override
    public Optional<PrivateMachine> machine(NodeProcess node) {
        return ground.machine(node);
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
            ground.close();
        }
    }
}
