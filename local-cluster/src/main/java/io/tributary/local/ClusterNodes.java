package io.tributary.local;

import io.tributary.common.gtid.GtidSet;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.Ports;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A cluster of Tasks t1, t2, ... and Dumpers d1, d2, ... with its own ZooKeeper, over the shards of a {@link LocalCluster}. */
public final class ClusterNodes {
    /** ZooKeeper allows session timeouts of 2 to 20 ticks: a lease of 1 to 10 s. */
    private static final int TICK_MILLIS = 500;

    /** Number of the first leader, if it can be elected without the Dumpers before it. Tests must not depend on it. */
    private static final int FIRST_LEADER = Integer.getInteger("tributary.first.leader", 1);

    private static final Duration LEADS_WITHIN = Duration.ofSeconds(60);

    private final ZooKeeperProcess zookeeper;
    private final LocalCluster cluster;
    private final List<NodeProcess> tasks = new ArrayList<>();
    private final List<NodeProcess> dumpers = new ArrayList<>();

    /**
     * Starts the shards; creates ZooKeeper and the nodes without starting them.
     *
     * @param change is applied last to the configuration that all nodes share
     */
    public ClusterNodes(
            Path folder, List<MysqlOptions> shards, int taskCount, int dumperCount, UnaryOperator<NodeConfig> change)
            throws SQLException {
        this.zookeeper = new ZooKeeperProcess(folder.resolve("zookeeper"), TICK_MILLIS);
        this.cluster = LocalCluster.withShards(
                folder,
                shards,
                config -> dumper(
                        change.apply(config.set("cluster.zookeeper", zookeeper.address())
                                .set("cluster.dumpers", Integer.toString(dumperCount))
                                .set("dumper.ack", "majority")),
                        "d1"));
        cluster.closing(zookeeper);
        dumpers.add(cluster.node());
        for (int number = 2; number <= dumperCount; number++) {
            String name = "d" + number;
            dumpers.add(cluster.newNode(name, config -> dumper(config, name)));
        }
        for (int number = 1; number <= taskCount; number++) {
            String name = "t" + number;
            tasks.add(cluster.newNode(name, config -> task(config, name)));
        }
    }

    private static NodeConfig dumper(NodeConfig config, String name) {
        return config.set("node.id", name)
                .set("node.roles", "dumper")
                .set("dumper.listen", "127.0.0.1:" + Ports.free());
    }

    private static NodeConfig task(NodeConfig config, String name) {
        return config.set("node.id", name)
                .set("node.roles", "task")
                .set("transmit.listen", "127.0.0.1:" + Ports.free());
    }

    /**
     * Uses mutual TLS between ZooKeeper and the nodes, and a login for the nodes. Call it before they are launched.
     *
     * @param tls the certificate and the CA that all of them use
     * @param identity the certificate and key of {@code tls} in one PEM file
     * @param login user:password
     */
    public ClusterNodes secureZooKeeper(GrpcTlsConfig tls, Path identity, String login) {
        Path authority = tls.ca().orElseThrow();
        zookeeper.secure(identity, authority);
        all().forEach(node -> node.config()
                .set("cluster.zookeeper", zookeeper.address())
                .set("cluster.zookeeper.auth", login)
                .set("cluster.zookeeper.tls.ca", authority.toString())
                .set("cluster.zookeeper.tls.certificate", identity.toString()));
        return this;
    }

    /** Starts all processes. Waits for ZooKeeper only, because a node ends if it cannot connect to ZooKeeper within a few seconds. */
    public ClusterNodes launch() {
        return launch(all());
    }

    /** Starts ZooKeeper and some of the nodes. */
    public ClusterNodes launch(List<NodeProcess> some) {
        zookeeper.launch().awaitServing();
        List<NodeProcess> later = laterThanFirstLeader(some);
        some.stream().filter(node -> !later.contains(node)).forEach(NodeProcess::launch);
        if (!later.isEmpty()) {
            NodeProcess first = dumpers.get(FIRST_LEADER - 1);
            Await.until(() -> first.name() + " to lead; " + cluster.lastLines(), LEADS_WITHIN, () -> isLeading(first));
            later.forEach(NodeProcess::launch);
        }
        return this;
    }

    /**
     * The Dumpers to start after the first leader is elected. Among Dumpers without files the first name wins, so the Dumpers before the
     * wanted leader start later. Empty if the wanted leader needs their votes.
     */
    private List<NodeProcess> laterThanFirstLeader(List<NodeProcess> some) {
        List<NodeProcess> launched = dumpers.stream().filter(some::contains).toList();
        boolean isPossible = launched.size() == dumpers.size() && dumpers.size() - FIRST_LEADER >= dumpers.size() / 2;
        return isPossible ? dumpers.subList(0, FIRST_LEADER - 1) : List.of();
    }

    /** The shards and all processes. Closing it ends them. */
    public LocalCluster cluster() {
        return cluster;
    }

    public ZooKeeperProcess zookeeper() {
        return zookeeper;
    }

    public List<NodeProcess> tasks() {
        return List.copyOf(tasks);
    }

    public List<NodeProcess> dumpers() {
        return List.copyOf(dumpers);
    }

    /** All nodes, Tasks first. */
    public List<NodeProcess> all() {
        return Stream.concat(tasks.stream(), dumpers.stream()).toList();
    }

    /** A node's name in the cluster. */
    public static String name(NodeProcess node) {
        return node.config().get("node.id");
    }

    /** The port on which readers connect to a Dumper. */
    public static int servePort(NodeProcess dumper) {
        String listen = dumper.config().get("serve.listen");
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    /** The epoch that a node reports; 0 for none. */
    public static long epoch(NodeProcess node) {
        return node.fact("epoch").map(Long::parseLong).orElse(0L);
    }

    /** Whether a Dumper reports that it leads. */
    public static boolean isLeading(NodeProcess dumper) {
        return dumper.fact("state.in.cluster").equals(Optional.of("leads"));
    }

    /** The Dumper that reports that it leads under a newer epoch than this. */
    public Optional<NodeProcess> leader(long after) {
        return dumpers.stream()
                .filter(ClusterNodes::isLeading)
                .filter(node -> epoch(node) > after)
                .findFirst();
    }

    /** Whether a Dumper accepts readers. */
    public static boolean isServing(NodeProcess dumper) {
        return dumper.fact("serves").filter(at -> at.contains(":")).isPresent();
    }

    /** The number of transactions that readers of a node can read, since the beginning of the binlog. */
    public static long transactions(NodeProcess node) {
        return GtidSet.parse(node.fact("gtid.executed").orElse("")).count();
    }

    /** Waits for a Dumper that leads under a newer epoch than this and accepts readers. */
    public NodeProcess awaitServing(long after, Duration limit) {
        List<NodeProcess> found = new ArrayList<>();
        Await.until(() -> "a leader that serves; " + cluster.lastLines(), limit, () -> {
            leader(after).filter(ClusterNodes::isServing).ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /** The Task that runs the pipeline. */
    public Optional<NodeProcess> runningTask() {
        return tasks.stream()
                .filter(task -> task.fact("streams").orElse("").startsWith("one"))
                .findFirst();
    }

    /** Attaches a replica that connects by itself to any Dumper that accepts it. */
    public MysqlReplica attach(MysqlReplica replica) throws SQLException {
        return replica.attachToOneOf(
                "127.0.0.1",
                dumpers.stream().map(ClusterNodes::servePort).toList(),
                LocalCluster.READER.name(),
                LocalCluster.READER.password());
    }
}
