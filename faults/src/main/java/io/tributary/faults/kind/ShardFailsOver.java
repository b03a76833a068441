package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Fault: the first shard's server is killed, and its replica, which has all of its transactions, takes over its address: another server UUID, other
 * files and positions, the same GTIDs. Before that, all clients of the shard are disconnected at a random time under load.
 */
public record ShardFailsOver() implements Fault {
    private static final int MOST_BETWEEN = 60;

    @Override
    public String name() {
        return "shard-fails-over";
    }

    @Override
    public String words() {
        return "the first shard's server is killed, and its replica by GTID takes over its address";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.link(cluster, Link.SHARD);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) throws SQLException {
        MysqlServer shard = cluster.shards().get(0);
        MysqlReplica replica = cluster.newReplica(shard.name() + "-replica");
        MysqlUser.tributary(shard.release())
                .createForTributary(replica.server()); // on the shard, this is not in the binlog either
        replica.attachByGtid(shard.host(), shard.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        replica.awaitGtids(shard.gtidExecuted(), TestCluster.LIMIT);
        cluster.awaitMore(1 + injection.random().nextInt(MOST_BETWEEN));
        TcpProxy link = cluster.link(Link.SHARD).orElseThrow();
        injection.now();
        link.refuse().cut();
        cluster.bank().stop(); // acknowledged commits are on the replica, as with semi-sync replication
        replica.awaitGtids(shard.gtidExecuted(), TestCluster.LIMIT);
        replica.stop();
        replica.server().execute("RESET REPLICA ALL");
        shard.failOverTo(replica.server());
        link.pass();
        cluster.bank().start();
        injection.repaired();
    }
}
