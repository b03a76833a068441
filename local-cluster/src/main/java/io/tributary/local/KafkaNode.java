package io.tributary.local;

import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The quickstart with Kafka: one standalone node, a node with the role sink, and a broker. */
final class KafkaNode implements QuickstartMode {
    private static final int PER_SECOND = 500;

    private final PrintStream out;
    private final OneNode node;
    private LocalCluster cluster;
    private KafkaBrokers brokers;
    private NodeProcess sink;

    KafkaNode(PrintStream out, Path folder) {
        this.out = out;
        this.node = new OneNode(out, folder, false);
    }

    @Override
    public String description() {
        return "a Tributary node, a Kafka broker and a Tributary node that sends to it";
    }

    @Override
    public LocalCluster make(List<MysqlOptions> shards) throws SQLException {
        cluster = node.make(shards);
        return cluster;
    }

    /** The keys of a sink that reads the node of a cluster. */
    static NodeConfig sink(NodeConfig config, LocalCluster cluster, String brokers) {
        return config.remove("tso.enabled")
                .set("node.role", "sink")
                .set("admin.listen", "127.0.0.1:" + Ports.free())
                .set("sink.nodes", "127.0.0.1:" + cluster.servePort())
                .set("sink.user", LocalCluster.READER.name())
                .set("sink.password", LocalCluster.READER.password())
                .set("sink.brokers", brokers)
                .set("sink.protocol", "canal-json");
    }

    @Override
    public void start() {
        node.start();
        brokers = cluster.closing(KafkaBrokers.one());
        out.println("  broker      " + brokers.addresses());
        sink = cluster.newNode("sink", config -> sink(config, cluster, brokers.addresses())).start();
        out.println("  sink        (status: http://" + sink.config().get("admin.listen") + "/status?as=text)");
    }

    KafkaBrokers brokers() {
        return brokers;
    }

    NodeProcess sink() {
        return sink;
    }

    @Override
    public NodeProcess writer() {
        return node.writer();
    }

    @Override
    public BankOptions load(BankOptions bank) {
        return bank.perSecond(PER_SECOND);
    }

    @Override
    public void attach(MysqlReplica replica) {
        throw new UnsupportedOperationException("a consumer fills the server");
    }

    @Override
    public void show(LiveFigures figures, MysqlReplica replica, Duration duration) {
        throw new UnsupportedOperationException("it has figures of its own");
    }

    @Override
    public void check() {}

    @Override
    public String statement() {
        return "SELECT COUNT(*), SUM(balance) FROM " + BankWorkload.SCHEMA + ".accounts";
    }

    @Override
    public List<String> guide() {
        List<String> lines = new ArrayList<>(List.of(
                "  the sink       bin/tributary sink status -c " + sink.configFile(),
                "  its check      bin/tributary check -c " + sink.configFile(),
                "  the messages   kcat -b " + brokers.addresses() + " -C -t bank.accounts -X isolation.level=read_committed"
                        + " -f '%h %s\\n' -c 5      (Debian: apt-get install kcat)",
                "  its log        " + sink.log()));
        lines.addAll(node.guide());
        return lines;
    }
}
