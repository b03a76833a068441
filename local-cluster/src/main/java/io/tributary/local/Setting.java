package io.tributary.local;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.workload.BankOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What the quickstart runs between the shards and the replica. */
interface Setting {
    /** Names what is started. */
    String words();

    /** Starts the shards; the nodes are made and not started. Closing what it answers ends everything. */
    LocalCluster make(List<MysqlOptions> shards) throws SQLException;

    /** Starts the nodes, waits until readers may come, and tells where everything is. */
    void start();

    /** The node that writes the binlog now. */
    NodeProcess writer();

    /** The load that suits it. */
    BankOptions load(BankOptions bank);

    void attach(MysqlReplica replica) throws SQLException;

    /** Shows figures while the load runs, for that time and for as long as it does more. */
    void show(LiveFigures figures, MysqlReplica replica, Duration duration) throws SQLException;

    /** Looks at what the nodes have once the replica has everything; throws when it is not as it has to be. */
    void check();

    /** Commands with which a user looks further. */
    List<String> guide();
}
