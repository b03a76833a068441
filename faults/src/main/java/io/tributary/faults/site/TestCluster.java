package io.tributary.faults.site;

import io.tributary.common.gtid.GtidSet;
import io.tributary.faults.reader.LiveReader;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.ObjectStoreServer;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.network.PrivateMachine;
import io.tributary.testkit.network.PrivateNetwork;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Running shards and nodes under load, with a replica by GTID and {@link LiveReader}s. Closing it ends every process. */
public final class TestCluster implements AutoCloseable {
    /** The longest wait for any condition. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    private static final double PER_SECOND = 100;
    private static final int REPLICA_WORKERS = 4;

    private final TestClusterOptions options;
    private final ProxySetup proxies;
    private final Nodes nodes;
    private final Map<NodeProcess, DumperDisk> disks = new HashMap<>();
    private final BankWorkload bank;
    private final ServedReaders readers;
    private MysqlReplica replica;

    private TestCluster(TestClusterOptions options, Path folder) throws Exception {
        this.options = options;
        Files.createDirectories(folder);
        this.proxies = new ProxySetup(
                options.hasObjectStore()
                        ? Optional.of(new ObjectStoreServer(folder.resolve("store-server")))
                        : Optional.empty(),
                options.topology().hasNetwork() ? Optional.of(PrivateNetwork.open()) : Optional.empty(),
                folder);
        try {
            this.nodes = options.topology().open(folder, proxies, options.lease());
        } catch (SQLException | RuntimeException e) {
            proxies.close();
            throw e;
        }
        for (NodeProcess node : nodes.dumpers()) {
            DumperDisk.compile(Files.createDirectories(folder.resolve("disk-" + disks.size())))
                    .ifPresent(library -> disks.put(node, library.under(node)));
        }
        this.readers = new ServedReaders(nodes);
        this.bank = new BankWorkload(
                nodes.cluster().shards(), BankOptions.seeded(options.seed()).perSecond(PER_SECOND));
    }

    /** Starts all processes and the load, and waits until the first transactions are in the output. */
    public static TestCluster open(TestClusterOptions options, Path folder) throws Exception {
        TestCluster cluster = new TestCluster(options, folder);
        try {
            cluster.begin();
            return cluster;
        } catch (SQLException | IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void begin() throws SQLException, IOException {
        nodes.launch();
        replica = newReplica("replica"); // while the nodes start
        awaitHealthy();
        TcpProxy serve = proxies.proxy(Link.SERVE, ServedReaders.served(nodes.leader()));
        replica.attachByGtid("127.0.0.1", serve.port(), LocalCluster.READER.name(), LocalCluster.READER.password());
        readers.open(serve);
        bank.prepare();
        resume();
        awaitCaughtUp();
    }

    /** Makes {@link #reader()} read from the leader now. Later it may read from any Dumper. */
    public void readFromTheLeader() {
        readers.readFromTheLeader(proxies.link(Link.SERVE).orElseThrow());
    }

    public Topology topology() {
        return options.topology();
    }

    /** {@code cluster.lease} of the cluster. */
    public Duration lease() {
        return options.lease();
    }

    /** The nodes that have one of these roles now; empty if the topology has no such role. */
    public List<NodeProcess> nodes(Collection<Role> roles) {
        return roles.stream().flatMap(role -> nodes.of(role).stream()).toList();
    }

    public List<NodeProcess> allNodes() {
        return nodes.all();
    }

    /** All nodes with binlog files. */
    public List<NodeProcess> dumpers() {
        return nodes.dumpers();
    }

    /** The node that writes and serves now. */
    public NodeProcess leader() {
        return nodes.leader();
    }

    /** The ZooKeeper server; empty if the addresses of the nodes are configured. */
    public Optional<ZooKeeperProcess> zookeeper() {
        return nodes.zookeeper();
    }

    public List<MysqlServer> shards() {
        return nodes.cluster().shards();
    }

    /** The proxy of a link between the nodes that have the roles of its ends now; empty if the topology has no such link. */
    public Optional<TcpProxy> link(Link link) {
        return nodes.link(link).or(() -> proxies.link(link));
    }

    /** The packets of a link between the nodes that have the roles of its ends now; empty if the nodes have no machines of their own. */
    public Optional<PacketLink> packets(Link link) {
        return nodes.packets(link);
    }

    /** The private machine of a node; empty if there is none. */
    public Optional<PrivateMachine> machine(NodeProcess node) {
        return nodes.machine(node);
    }

    /** The object store, the target of {@link Link#STORE}. */
    public ObjectStoreServer store() {
        return proxies.store().orElseThrow();
    }

    /** The library between a Dumper and its disk; empty on a machine without a C compiler. */
    public Optional<DumperDisk> disk(NodeProcess dumper) {
        return Optional.ofNullable(disks.get(dumper));
    }

    /** Starts one more server, which is closed with the test cluster. */
    public MysqlReplica newReplica(String name) {
        return nodes.cluster().newReplica(name, REPLICA_WORKERS);
    }

    public BankWorkload bank() {
        return bank;
    }

    public MysqlReplica replica() {
        return replica;
    }

    public LiveReader reader() {
        return readers.roaming();
    }

    /** All readers by name: {@link #reader()}, and one for each Dumper if there are several. */
    public Map<String, LiveReader> readers() {
        return readers.all();
    }

    /** The folder of the leader's binlog. */
    public Path binlogFolder() {
        return binlogFolder(leader());
    }

    public static Path binlogFolder(NodeProcess dumper) {
        return Path.of(dumper.config().get("binlog.directory"));
    }

    /** Waits until the leader runs and has written this many more transactions. */
    public void awaitMore(int transactions) {
        long[] enough = {-1};
        NodeProcess leader = leader();
        Await.until(() -> leader.name() + " (the leader) to write more transactions", LIMIT, () -> {
            long now = (long) leader.metric("tributary_write_transactions_total");
            if (enough[0] < 0 && now > 0) {
                enough[0] = now + transactions;
            }
            return enough[0] > 0 && now >= enough[0];
        });
    }

    /** I15: waits until all transactions that the shards have executed by now are in the binlog of the current leader. */
    public void awaitCaughtUp() throws SQLException {
        for (MysqlServer shard : shards()) {
            GtidSet executed = GtidSet.parse(shard.gtidExecuted());
            Await.until(
                    () -> "all of " + shard.name() + " to be written: expected " + executed.line() + ", found "
                            + frontier(shard).line(),
                    LIMIT,
                    () -> frontier(shard).containsAll(executed));
        }
    }

    /** The GTIDs of a shard that the leader has written. */
    private GtidSet frontier(MysqlServer shard) {
        return GtidSet.parse(leader().fact("frontier." + shard.name()).orElse(""));
    }

    /** Waits until every node reports that it is healthy. */
    public void awaitHealthy() {
        nodes.all().forEach(NodeProcess::awaitHealthy);
    }

    /** Stops the load and waits until binlog, replica and readers have all its transactions. */
    public void rest() throws SQLException {
        bank.stop();
        awaitCaughtUp();
        awaitHealthy();
        String gtids = leader().fact("gtid.executed").orElseThrow();
        replica.awaitGtids(gtids, LIMIT);
        GtidSet wanted = GtidSet.parse(gtids);
        readers.all()
                .forEach((name, one) -> Await.until(
                        () -> name + " to receive all: expected " + wanted.line() + ", found "
                                + one.gtids().line(),
                        LIMIT,
                        () -> one.gtids().containsAll(wanted)));
    }

    /** Resumes the load. */
    public void resume() {
        bank.start();
    }

    /** Ends all nodes with SIGTERM; returns whether all of them ended by themselves. */
    public boolean endNodes() {
        boolean ended = true;
        for (NodeProcess node : nodes.all()) {
            ended &= node.terminate();
        }
        return ended;
    }

    @Override
    public void close() {
        RuntimeException failed = null;
        List<AutoCloseable> things = new ArrayList<>();
        things.add(bank);
        things.addAll(readers.all().values());
        things.addAll(List.of(nodes, proxies));
        for (AutoCloseable thing : things) {
            try {
                thing.close();
            } catch (Exception e) { // all other processes must be ended too
                failed = failed == null ? new IllegalStateException("cannot close " + thing, e) : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
