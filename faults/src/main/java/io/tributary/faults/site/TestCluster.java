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

/** Running shards and nodes under load, with a replica by GTID and a {@link LiveReader} behind them. Closing it ends every process. */
public final class Site implements AutoCloseable {
    /** Longest wait for anything that has to happen. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    private static final double PER_SECOND = 100;
    private static final int REPLICA_WORKERS = 4;

    private final SiteOptions options;
    private final Wiring wiring;
    private final Nodes nodes;
    private final Map<NodeProcess, DumperDisk> disks = new HashMap<>();
    private final BankWorkload bank;
    private final ServedReaders readers;
    private MysqlReplica replica;

    private Site(SiteOptions options, Path folder) throws Exception {
        this.options = options;
        Files.createDirectories(folder);
        this.wiring = new Wiring(
                options.hasObjectStore()
                        ? Optional.of(new ObjectStoreServer(folder.resolve("store-server")))
                        : Optional.empty(),
                options.topology().hasNetwork() ? Optional.of(PrivateNetwork.open()) : Optional.empty(),
                folder);
        try {
            this.nodes = options.topology().open(folder, wiring, options.lease());
        } catch (SQLException | RuntimeException e) {
            wiring.close();
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

    /** Starts all of it and the load, and waits until the first transactions have come out. */
    public static Site open(SiteOptions options, Path folder) throws Exception {
        Site site = new Site(options, folder);
        try {
            site.begin();
            return site;
        } catch (SQLException | IOException | RuntimeException e) {
            site.close();
            throw e;
        }
    }

    private void begin() throws SQLException, IOException {
        nodes.launch();
        replica = newReplica("replica"); // while the nodes start
        awaitHealthy();
        TcpProxy serve = wiring.proxy(Link.SERVE, ServedReaders.served(nodes.leader()));
        replica.attachByGtid("127.0.0.1", serve.port(), LocalCluster.READER.name(), LocalCluster.READER.password());
        readers.open(serve);
        bank.prepare();
        resume();
        awaitCaughtUp();
    }

    /** Has the reader read from the leader now, as well as it may read elsewhere later. */
    public void readFromTheLeader() {
        readers.readFromTheLeader(wiring.link(Link.SERVE).orElseThrow());
    }

    public Topology topology() {
        return options.topology();
    }

    /** How long a leader that is elected acts on one proof. */
    public Duration lease() {
        return options.lease();
    }

    /** Those that have one of these roles now; none where the topology has none. */
    public List<NodeProcess> nodes(Collection<Role> roles) {
        return roles.stream().flatMap(role -> nodes.of(role).stream()).toList();
    }

    public List<NodeProcess> allNodes() {
        return nodes.all();
    }

    /** All that keep files. */
    public List<NodeProcess> dumpers() {
        return nodes.dumpers();
    }

    /** The node that writes and serves now. */
    public NodeProcess leader() {
        return nodes.leader();
    }

    /** Where the nodes meet; empty where they are told of each other. */
    public Optional<ZooKeeperProcess> zookeeper() {
        return nodes.zookeeper();
    }

    public List<MysqlServer> shards() {
        return nodes.cluster().shards();
    }

    /** The proxy of a link between those that have the roles of its ends now; empty where the topology has no such link. */
    public Optional<TcpProxy> link(Link link) {
        return nodes.link(link).or(() -> wiring.link(link));
    }

    /** The packets of a link between those that have the roles of its ends now; empty where nodes are not on machines of their own. */
    public Optional<PacketLink> packets(Link link) {
        return nodes.packets(link);
    }

    /** The machine of its own that a node runs on; empty where there is none. */
    public Optional<PrivateMachine> machine(NodeProcess node) {
        return nodes.machine(node);
    }

    /** Where {@link Link#STORE} leads. */
    public ObjectStoreServer store() {
        return wiring.store().orElseThrow();
    }

    /** What stands between a Dumper and its disk; empty on a machine without a C compiler. */
    public Optional<DumperDisk> disk(NodeProcess dumper) {
        return Optional.ofNullable(disks.get(dumper));
    }

    /** One more server, closed with the site. */
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

    /** All readers, by name: {@link #reader()}, and one that stays at each of several Dumpers. */
    public Map<String, LiveReader> readers() {
        return readers.all();
    }

    /** Where the leader's binlog stands. */
    public Path binlogFolder() {
        return binlogFolder(leader());
    }

    public static Path binlogFolder(NodeProcess dumper) {
        return Path.of(dumper.config().get("binlog.directory"));
    }

    /** Waits until the leader runs and has written this many transactions more. */
    public void awaitMore(int transactions) {
        long[] enough = {-1};
        NodeProcess leader = leader();
        Await.until(() -> leader.name() + ", which led, to write more transactions", LIMIT, () -> {
            long now = (long) leader.metric("tributary_write_transactions_total");
            if (enough[0] < 0 && now > 0) {
                enough[0] = now + transactions;
            }
            return enough[0] > 0 && now >= enough[0];
        });
    }

    /** I15: waits until all that the shards have executed by now is in the binlog, whoever leads. */
    public void awaitCaughtUp() throws SQLException {
        for (MysqlServer shard : shards()) {
            GtidSet executed = GtidSet.parse(shard.gtidExecuted());
            Await.until(
                    () -> "all of " + shard.name() + " to be written, " + executed.line() + "; the leader has "
                            + frontier(shard).line(),
                    LIMIT,
                    () -> frontier(shard).containsAll(executed));
        }
    }

    /** What the leader has written of a shard. */
    private GtidSet frontier(MysqlServer shard) {
        return GtidSet.parse(leader().fact("frontier." + shard.name()).orElse(""));
    }

    /** Waits until every node says that it is well. */
    public void awaitHealthy() {
        nodes.all().forEach(NodeProcess::awaitHealthy);
    }

    /** Ends the load and waits until binlog, replica and readers have all of it. */
    public void rest() throws SQLException {
        bank.stop();
        awaitCaughtUp();
        awaitHealthy();
        String gtids = leader().fact("gtid.executed").orElseThrow();
        replica.awaitGtids(gtids, LIMIT);
        GtidSet wanted = GtidSet.parse(gtids);
        readers.all()
                .forEach((name, one) -> Await.until(
                        () -> name + " to have " + wanted.line() + "; it has "
                                + one.gtids().line(),
                        LIMIT,
                        () -> one.gtids().containsAll(wanted)));
    }

    /** Goes on with the load. */
    public void resume() {
        bank.start();
    }

    /** Ends all nodes in good order; answers whether they ended by themselves. */
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
        things.addAll(List.of(nodes, wiring));
        for (AutoCloseable thing : things) {
            try {
                thing.close();
            } catch (Exception e) { // every process has to be ended whatever happens
                failed = failed == null ? new IllegalStateException("cannot close " + thing, e) : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
