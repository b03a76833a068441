package io.tributary.local;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The quickstart without a cluster: one standalone node. */
final class OneNode implements QuickstartMode {
    private final PrintStream out;
    private final Path folder;
    private final boolean withData;
    private LocalCluster cluster;

    /** @param withData whether the shards hold rows before the node is started, which its stream does not contain */
    OneNode(PrintStream out, Path folder, boolean withData) {
        this.out = out;
        this.folder = folder;
        this.withData = withData;
    }

    @Override
    public String description() {
        return "a Tributary node";
    }

    @Override
    public LocalCluster make(List<MysqlOptions> shards) throws SQLException {
        cluster = LocalCluster.withShards(folder, shards, this::changed);
        return cluster;
    }

    private NodeConfig changed(NodeConfig config) {
        return withData ? config.startingAtLatest() : withTso(config);
    }

    /** Enables the TSO service for bin/example-tso. The node itself uses order.mode=xa, which leaves out the rows with timestamps. */
    private NodeConfig withTso(NodeConfig config) {
        return config.set("tso.enabled", "true")
                .set("tso.listen", "127.0.0.1:" + Ports.free())
                .set("tso.directory", folder.resolve("tso").toString());
    }

    @Override
    public void start() {
        cluster.node().start();
        out.println("  tributary   127.0.0.1:" + cluster.servePort() + "   (status: http://"
                + cluster.config().get("admin.listen") + "/status?as=text)");
    }

    @Override
    public NodeProcess writer() {
        return cluster.node();
    }

    @Override
    public BankOptions load(BankOptions bank) {
        return bank;
    }

    @Override
    public void attach(MysqlReplica replica) throws SQLException {
        cluster.attachByGtid(replica);
        out.println("  replica     127.0.0.1:" + replica.server().port()
                + "   CHANGE REPLICATION SOURCE TO SOURCE_PORT=" + cluster.servePort()
                + ", ..., SOURCE_AUTO_POSITION=1");
    }

    @Override
    public void show(LiveFigures figures, MysqlReplica replica, Duration duration) throws SQLException {
        figures.show(duration);
    }

    @Override
    public void check() {}

    @Override
    public List<String> guide() {
        String status =
                "  the node       bin/tributary status -c " + cluster.node().configFile();
        if (withData) {
            return List.of(status, "  the log        " + cluster.node().log());
        }
        return List.of(
                status,
                "  timestamps     bin/example-tso --tso " + cluster.config().get("tso.listen") + shards() + " --user "
                        + MysqlServer.ROOT + " --password " + MysqlServer.ROOT_PASSWORD,
                "  the log        " + cluster.node().log());
    }

    private String shards() {
        StringBuilder options = new StringBuilder();
        for (MysqlServer shard : cluster.shards()) {
            options.append(" --shard ").append(shard.host()).append(':').append(shard.port());
        }
        return options.toString();
    }
}
