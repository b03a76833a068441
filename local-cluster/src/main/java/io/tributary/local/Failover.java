package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlReplica;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** Kills the leader, prints how the other Dumpers continue without it, and starts it again. */
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

    /** Returns the new leader, after the replica has resumed there. */
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
        NodeProcess next = nodes.leader(epoch).orElseThrow();
        report(ClusterNodes.name(next) + " leads now, under epoch " + ClusterNodes.epoch(next));
        Await.until(() -> "readers at the new leader; " + next.lastLines(), limit, () -> ClusterNodes.isServing(next));
        double served = report("it serves readers on 127.0.0.1:" + ClusterNodes.servePort(next));
        awaitAttached(next, limit);
        String executed = replica.server().gtidExecuted();
        Await.until(
                "the replica to apply more",
                limit,
                () -> !replica.server().gtidExecuted().equals(executed));
        double waited = report("the replica has connected to it and applies transactions again");
        out.printf(
                "Readers waited %.1f s for a leader. The replica waited %.1f s in total:"
                        + " it tries its sources once a second%n",
                served, waited);
        out.println(name + " is started again and copies what it lacks from " + ClusterNodes.name(next));
        out.println();
        old.launch();
        return next;
    }

    private void awaitAttached(NodeProcess leader, Duration limit) {
        String port = Integer.toString(ClusterNodes.servePort(leader));
        Await.until("the replica to find the new leader", limit, () -> {
            Map<String, String> status = replica.status();
            return port.equals(status.get("Source_Port")) && "Yes".equals(status.get("Replica_IO_Running"));
        });
    }

    /** Prints an event with the time since the kill; returns that time in seconds. */
    private double report(String event) {
        double seconds = (System.nanoTime() - killed) / 1e9;
        out.printf("  +%.1f s  %s%n", seconds, event);
        out.flush();
        return seconds;
    }
}
