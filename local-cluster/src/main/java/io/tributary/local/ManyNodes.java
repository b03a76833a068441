package io.tributary.local;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.workload.BankOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The quickstart's cluster: ZooKeeper, two Tasks and three Dumpers. The leader is killed in the middle of the load. */
final class ManyNodes implements QuickstartMode {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int TASKS = 2;
    private static final int DUMPERS = 3;
    private static final int TRANSACTIONS_PER_SECOND = 400;

    /** The five nodes start at the same time: the simpler compiler makes their start faster. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1";

    private final PrintStream out;
    private final Path folder;
    private final int lease;
    private ClusterNodes nodes;
    private volatile NodeProcess leader;

    ManyNodes(PrintStream out, Path folder, int lease) {
        this.lease = lease;
        this.out = out;
        this.folder = folder;
    }

    @Override
    public String description() {
        return "ZooKeeper, " + TASKS + " Tasks and " + DUMPERS + " Dumpers";
    }

    @Override
    public LocalCluster make(List<MysqlOptions> shards) throws SQLException {
        nodes = new ClusterNodes(folder, shards, TASKS, DUMPERS, config -> config.set("cluster.lease", lease + "s"));
        nodes.all()
                .forEach(node -> node.with("TRIBUTARY_JAVA_OPTS", QUICK_START).with("TRIBUTARY_HEAP", "256m"));
        return nodes.cluster();
    }

    @Override
    public void start() {
        nodes.launch();
        out.println("  zookeeper   " + nodes.zookeeper().address()
                + "   coordinates the nodes; stores no binlog data and no positions");
        for (NodeProcess task : nodes.tasks()) {
            out.println("  Task " + ClusterNodes.name(task) + "     "
                    + task.config().get("transmit.listen")
                    + "   reads the shards and puts their transactions into one order, when the leader requests it");
        }
        for (NodeProcess dumper : nodes.dumpers()) {
            out.println("  Dumper " + ClusterNodes.name(dumper) + "   "
                    + dumper.config().get("serve.listen")
                    + "   stores the binlog; as leader, it also writes the binlog and serves readers");
        }
        out.println("The Dumpers elect a leader");
        leader = nodes.awaitServing(0, LIMIT);
        out.println("  " + ClusterNodes.name(leader) + " leads under epoch " + ClusterNodes.epoch(leader)
                + "; the others copy its files; readers get what 2 of 3 Dumpers have on disk (dumper.ack=majority,"
                + " cluster.lease="
                + lease
                + "s)");
        nodes.runningTask()
                .ifPresent(task -> out.println("  " + ClusterNodes.name(task)
                        + " runs the pipeline; the other Task is on standby; Tasks keep no durable state"));
    }

    @Override
    public NodeProcess writer() {
        if (!ClusterNodes.isLeading(leader)) {
            nodes.leader(0).ifPresent(other -> leader = other);
        }
        return leader;
    }

    /** The load is limited, so that a machine with two cores has CPU time left for an election. */
    @Override
    public BankOptions load(BankOptions bank) {
        return bank.perSecond(TRANSACTIONS_PER_SECOND);
    }

    @Override
    public void attach(MysqlReplica replica) throws SQLException {
        nodes.attach(replica);
        out.println("  replica     127.0.0.1:" + replica.server().port()
                + "   is configured with the ports of all Dumpers"
                + " (asynchronous_connection_failover_add_source, SOURCE_AUTO_POSITION=1)");
    }

    @Override
    public void show(LiveFigures figures, MysqlReplica replica, Duration duration) throws SQLException {
        Duration half = Duration.ofSeconds((duration.toSeconds() + 1) / 2);
        figures.show(half);
        Failover failover = new Failover(out, nodes, replica);
        leader = failover.run(writer(), LIMIT);
        figures.show(duration.minus(half));
    }

    @Override
    public void check() {
        String end = LogCopies.awaitSame(writer(), nodes.dumpers(), LIMIT).end();
        out.println("The binlog files of all Dumpers have the same bytes up to " + end);
    }

    @Override
    public List<String> guide() {
        String config = leader.configFile().toString();
        return List.of(
                "  the cluster    bin/tributary cluster status -c " + config,
                "  the leader     bin/tributary status -c " + config,
                "  move leader    bin/tributary leader move -c " + config,
                "  kill leader    kill -9 " + leader.process().pid() + "   (another Dumper leads within seconds)",
                "  log files      " + folder + "/*.log");
    }
}
