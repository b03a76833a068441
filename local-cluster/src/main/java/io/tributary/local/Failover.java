package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlReplica;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** Kills the Dumper that leads, tells how the others go on without it, and starts it again. */
final class Failover {
    private final PrintStream out;
    private final ClusterNodes nodes;
    private final MysqlReplica replica;
    private long killed;

    Failover(PrintStream out, ClusterNodes nodes, MysqlReplica replica) {
        this.out = out;
        this.nodes = nodes;
        this.replica = replica;
    }

    /** Answers the new leader once the replica goes on there. */
    NodeProcess run(NodeProcess old, Duration limit) throws SQLException {
        String name = ClusterNodes.name(old);
        Await.until("an answer of the leader", limit, () -> ClusterNodes.epoch(old) > 0);
        long epoch = ClusterNodes.epoch(old);
        out.println();
        out.println("kill -9 " + old.process().pid() + ": " + name + ", which leads under epoch " + epoch
                + " and serves the replica");
        killed = System.nanoTime();
        old.kill9();
        Await.until(
                () -> "a new leader; " + nodes.cluster().lastLines(),
                limit,
                () -> nodes.leader(epoch).isPresent());
        NodeProcess now = nodes.leader(epoch).orElseThrow();
        tell(ClusterNodes.name(now) + " leads now, under epoch " + ClusterNodes.epoch(now));
        Await.until(() -> "readers at the new leader; " + now.lastLines(), limit, () -> ClusterNodes.isServing(now));
        double served = tell("it serves readers on 127.0.0.1:" + ClusterNodes.servePort(now));
        awaitAttached(now, limit);
        String executed = replica.server().gtidExecuted();
        Await.until(
                "the replica to apply more",
                limit,
                () -> !replica.server().gtidExecuted().equals(executed));
        double waited = tell("the replica has found it and goes on");
        out.printf(
                "Readers waited %.1f s for a leader, and the replica %.1f s in all: it tries its sources once a second%n",
                served, waited);
        out.println(name + " is started again, and copies what it lacks from " + ClusterNodes.name(now));
        out.println();
        old.launch();
        return now;
    }

    private void awaitAttached(NodeProcess leader, Duration limit) {
        String port = Integer.toString(ClusterNodes.servePort(leader));
        Await.until("the replica to find the new leader", limit, () -> {
            Map<String, String> status = replica.status();
            return port.equals(status.get("Source_Port")) && "Yes".equals(status.get("Replica_IO_Running"));
        });
    }

    /** Answers the seconds since the kill. */
    private double tell(String what) {
        double seconds = (System.nanoTime() - killed) / 1e9;
        out.printf("  +%.1f s  %s%n", seconds, what);
        out.flush();
        return seconds;
    }
}
