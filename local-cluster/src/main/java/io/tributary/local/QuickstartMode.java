package io.tributary.local;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.workload.BankOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The part of the quickstart between the shards and the replica: one node or a cluster. */
interface QuickstartMode {
    /** The processes that are started, in words. */
    String description();

    /** Starts the shards and creates the nodes without starting them. Closing the returned cluster ends all processes. */
    LocalCluster make(List<MysqlOptions> shards) throws SQLException;

    /** Starts the nodes, waits until readers can connect, and prints the addresses. */
    void start();

    /** The node that writes the binlog now. */
    NodeProcess writer();

    /** The load for this setting. */
    BankOptions load(BankOptions bank);

    void attach(MysqlReplica replica) throws SQLException;

    /** Shows figures while the load runs, for this time plus the time of further steps such as a failover. */
    void show(LiveFigures figures, MysqlReplica replica, Duration duration) throws SQLException;

    /** Checks the files of the nodes after the replica has applied everything; throws when they are wrong. */
    void check();

    /** Commands with which a user can inspect the nodes. */
    List<String> guide();

    /** A statement that shows what is on the replica. */
    default String statement() {
        return "SHOW REPLICA STATUS\\G";
    }
}
