package io.tributary.local;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.CacheFolder;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Real shards and a Tributary node that reads them, in one folder, on loopback. Closing it ends every process that it started. */
public final class LocalCluster implements AutoCloseable {
    /** The account with which readers log in to the node. */
    public static final MysqlUser READER = new MysqlUser("reader", "reader-secret", MysqlUser.CACHING_SHA2);

    private final Path folder;
    private final MysqlServers shards;
    private final int servePort = Ports.free();
    private final List<AutoCloseable> more = new ArrayList<>();
    private final NodeConfig config;
    private final NodeProcess node;
    private final List<NodeProcess> others = new ArrayList<>();

    private LocalCluster(Path folder, MysqlServers shards, UnaryOperator<NodeConfig> change, String... arguments)
            throws SQLException {
        this.folder = folder;
        this.shards = shards;
        MysqlUser user = MysqlUser.tributary(shards.get(0).release());
        for (MysqlServer shard : shards) {
            user.createForTributary(shard);
        }
        this.config = change.apply(NodeConfig.of(shards.all(), user, folder, servePort, Ports.free(), READER)
                .withCertificate(CacheFolder.ofUser().entry("node-certificate", LocalCluster::makeCertificate)));
        this.node = new NodeProcess(
                NodeProcess.projectHome(),
                folder.resolve("tributary.properties"),
                config,
                folder.resolve("node.log"),
                arguments);
    }

    /** Called once per machine, because a node that has just started needs one or two seconds to generate an RSA key. */
    private static void makeCertificate(Path into) throws IOException {
        SelfSignedCertificate.in(into, "Tributary on loopback", Clock.SYSTEM);
    }

    /** Starts this many shards, named s1, s2, ...; creates the node without starting it. */
    public static LocalCluster withShards(Path folder, int count) throws SQLException {
        return withShards(
                folder,
                IntStream.rangeClosed(1, count)
                        .mapToObj(i -> MysqlOptions.named("s" + i))
                        .toList(),
                UnaryOperator.identity());
    }

    /**
     * Starts shards with the given options; creates the node without starting it.
     *
     * @param change is applied last to the node's configuration
     * @param arguments further arguments of the node's start, such as {@code --role dumper}
     */
    public static LocalCluster withShards(
            Path folder, List<MysqlOptions> options, UnaryOperator<NodeConfig> change, String... arguments)
            throws SQLException {
        MysqlServers shards = MysqlServers.start(options);
        try {
            return new LocalCluster(folder, shards, change, arguments);
        } catch (RuntimeException | SQLException e) {
            shards.close();
            throw e;
        }
    }

    public List<MysqlServer> shards() {
        return shards.all();
    }

    public NodeProcess node() {
        return node;
    }

    public NodeConfig config() {
        return config;
    }

    public Path folder() {
        return folder;
    }

    /**
     * Creates one more node over the same shards, without starting it. Its configuration is a copy of the first node's, with its own
     * folders, ports and log.
     */
    public NodeProcess newNode(String name, UnaryOperator<NodeConfig> change, String... arguments) {
        Path own = folder.resolve(name);
        NodeConfig copy = config.copy()
                .set("binlog.directory", own.resolve("binlog").toString())
                .set("store.directory", own.resolve("store").toString())
                .set("serve.listen", "127.0.0.1:" + Ports.free())
                .set("admin.listen", "127.0.0.1:" + Ports.free());
        NodeProcess more = closing(new NodeProcess(
                NodeProcess.projectHome(),
                own.resolve("tributary.properties"),
                change.apply(copy),
                folder.resolve(name + ".log"),
                arguments));
        others.add(more);
        return more;
    }

    /** The end of what each node printed. */
    public String lastLines() {
        StringBuilder text = new StringBuilder(node.lastLines());
        others.forEach(
                other -> text.append("\n--- ").append(other.log()).append('\n').append(other.lastLines()));
        return text.toString();
    }

    /** The port on which readers connect. */
    public int servePort() {
        return servePort;
    }

    public Path binlogFolder() {
        return Path.of(config.get("binlog.directory"));
    }

    /** Starts one more server for a replica with this many workers. It is not attached to a source yet. */
    public MysqlReplica newReplica(String name, int workers) {
        return newReplica(MysqlReplica.options(name, workers));
    }

    /** As above, with options that were made by {@link MysqlReplica#options}. */
    public MysqlReplica newReplica(MysqlOptions options) {
        return new MysqlReplica(closing(MysqlServer.start(options)));
    }

    public MysqlReplica attachByGtid(MysqlReplica replica) throws SQLException {
        return replica.attachByGtid("127.0.0.1", servePort, READER.name(), READER.password());
    }

    public MysqlReplica attachByPosition(MysqlReplica replica, String file, long position) throws SQLException {
        return replica.attachByPosition("127.0.0.1", servePort, READER.name(), READER.password(), file, position);
    }

    /** Registers a resource that is closed with the cluster, before the shards. Returns it. */
    public <T extends AutoCloseable> T closing(T thing) {
        more.add(0, thing);
        return thing;
    }

    /** Waits until all that the shards have executed by now is in the node's durable binlog. */
    public void awaitAllWritten(Duration limit) throws SQLException {
        awaitAllWritten(node, limit);
    }

    /** As above for a node of {@link #newNode}. */
    public void awaitAllWritten(NodeProcess writer, Duration limit) throws SQLException {
        awaitAllWritten(writer, shards.all(), limit);
    }

    /** As above for some of the shards. */
    public void awaitAllWritten(NodeProcess writer, List<MysqlServer> some, Duration limit) throws SQLException {
        for (MysqlServer shard : some) {
            GtidSet executed = MariadbGtids.parse(shard.gtidExecuted());
            String fact = "frontier." + shard.name();
            Await.until(
                    () -> "the node to write all of " + shard.name() + ": expected " + executed + ", found "
                            + writer.fact(fact).orElse("no answer") + "; its last lines: " + writer.lastLines(),
                    limit,
                    () -> writer.fact(fact)
                            .map(text -> GtidSet.parse(text).containsAll(executed))
                            .orElse(false));
        }
    }

    /** The GTIDs that readers can read, as the node reports them. */
    public String gtidExecuted() {
        return node.fact("gtid.executed").orElse("");
    }

    /** The number of transactions that the node has written since its process started. */
    public long transactionsWritten() {
        return (long) node.metric("tributary_write_transactions_total");
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>();
        all.add(node);
        all.addAll(more);
        all.add(shards);
        RuntimeException failed = null;
        for (AutoCloseable thing : all) {
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
