package io.tributary.faults.site;

import io.tributary.common.gtid.GtidSet;
import io.tributary.faults.reader.LiveReader;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Running shards and nodes under load, with a replica by GTID and a {@link LiveReader} behind them. Closing it ends every process. */
public final class Site implements AutoCloseable {
    /** Longest wait for anything that has to happen. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    private static final double PER_SECOND = 150;
    private static final int REPLICA_WORKERS = 4;

    private final Topology topology;
    private final Wiring wiring;
    private final Nodes nodes;
    private final Optional<DumperDisk> disk;
    private final BankWorkload bank;
    private MysqlReplica replica;
    private LiveReader reader;

    private Site(Topology topology, Path folder, long seed) throws Exception {
        this.topology = topology;
        Files.createDirectories(folder);
        this.wiring = new Wiring(new ObjectStoreServer(folder.resolve("store-server")));
        try {
            this.nodes = topology.open(folder, wiring);
        } catch (SQLException | RuntimeException e) {
            wiring.close();
            throw e;
        }
        this.disk = DumperDisk.compile(folder);
        disk.ifPresent(library -> nodes.of(Role.DUMPER).forEach(library::under));
        this.bank = new BankWorkload(
                nodes.cluster().shards(), BankOptions.seeded(seed).perSecond(PER_SECOND));
    }

    /** Starts all of it and the load, and waits until the first transactions have come out. */
    public static Site open(Topology topology, Path folder, long seed) throws Exception {
        Site site = new Site(topology, folder, seed);
        try {
            site.begin();
            return site;
        } catch (SQLException | IOException | RuntimeException e) {
            site.close();
            throw e;
        }
    }

    private void begin() throws SQLException, IOException {
        nodes.start();
        LocalCluster cluster = nodes.cluster();
        TcpProxy serve = wiring.proxy(Link.SERVE, cluster.servePort());
        replica = cluster.newReplica("replica", REPLICA_WORKERS)
                .attachByGtid("127.0.0.1", serve.port(), LocalCluster.READER.name(), LocalCluster.READER.password());
        reader = new LiveReader(
                serve.port(), LocalCluster.READER, cluster.folder().resolve("served"));
        bank.prepare();
        resume();
        awaitCaughtUp();
    }

    public Topology topology() {
        return topology;
    }

    /** Nodes of these roles; none where the topology has none. */
    public List<NodeProcess> nodes(Collection<Role> roles) {
        return nodes.of(roles);
    }

    /** The node that writes and serves. */
    public NodeProcess dumper() {
        return nodes.cluster().node();
    }

    public List<MysqlServer> shards() {
        return nodes.cluster().shards();
    }

    /** The proxy of a link; empty where the topology has no such link. */
    public Optional<TcpProxy> link(Link link) {
        return wiring.link(link);
    }

    public ObjectStoreServer store() {
        return wiring.store();
    }

    /** What stands between the Dumper and its disk; empty on a machine without a C compiler. */
    public Optional<DumperDisk> disk() {
        return disk;
    }

    public BankWorkload bank() {
        return bank;
    }

    public MysqlReplica replica() {
        return replica;
    }

    public LiveReader reader() {
        return reader;
    }

    /** Where the binlog stands. */
    public Path binlogFolder() {
        return nodes.cluster().binlogFolder();
    }

    /** Waits until the Dumper runs and has written this many transactions more. */
    public void awaitMore(int transactions) {
        long[] enough = {-1};
        Await.until(() -> "more transactions; " + lastLines(), LIMIT, () -> {
            long now = nodes.cluster().transactionsWritten();
            if (enough[0] < 0 && now > 0) {
                enough[0] = now + transactions;
            }
            return enough[0] > 0 && now >= enough[0];
        });
    }

    /** I15: waits until all that the shards have executed by now is in the binlog. */
    public void awaitCaughtUp() throws SQLException {
        nodes.cluster().awaitAllWritten(LIMIT);
    }

    /** Ends the load and waits until binlog, replica and reader have all of it. */
    public void rest() throws SQLException {
        bank.stop();
        awaitCaughtUp();
        String gtids = nodes.cluster().gtidExecuted();
        replica.awaitGtids(gtids, LIMIT);
        GtidSet wanted = GtidSet.parse(gtids);
        Await.until(
                () -> "the reader to have " + wanted.line() + "; it has "
                        + reader.gtids().line(),
                LIMIT,
                () -> reader.gtids().containsAll(wanted));
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

    /** The last lines of every node, for messages. */
    public String lastLines() {
        StringBuilder lines = new StringBuilder();
        for (NodeProcess node : nodes.all()) {
            lines.append('\n').append(node.log().getFileName()).append(":\n").append(node.lastLines());
        }
        return lines.toString();
    }

    @Override
    public void close() {
        RuntimeException failed = null;
        for (AutoCloseable thing : Arrays.asList(bank, reader, nodes.cluster(), wiring)) {
            try {
                if (thing != null) {
                    thing.close();
                }
            } catch (Exception e) { // every process has to be ended whatever happens
                failed = failed == null ? new IllegalStateException("cannot close " + thing, e) : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
