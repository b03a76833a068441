package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that cuts the connections to one shard repeatedly, after different numbers of bytes, while transactions are read from them. */
class ConnectionCutIT {
    private static final int CUTS = 40;
    /** Bytes by which each cut is later than the one before it; all cuts together cover the login and more than one small transaction. */
    private static final int STEP = 97;

    @Test
    void transactionsThatACutInterruptsAreWrittenOnce(@TempDir Path folder) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(1);
                LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> config.set("shard.s1.port", Integer.toString(proxy.port()))
                                .set("extract.reconnect.min", "5ms"));
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(17).perSecond(100).xaShare(0.5))) {
            MysqlServer cut = cluster.shards().get(0);
            proxy.retarget(cut.port());
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 2));
            bank.prepare();
            bank.start();
            for (int i = 0; i < CUTS; i++) {
                int connections = proxy.accepted();
                proxy.cutAfter(Direction.TO_CLIENT, 1 + i * STEP);
                Await.until(
                        () -> "a new connection; " + cluster.node().lastLines(),
                        Invariants.LIMIT,
                        () -> proxy.accepted() > connections);
            }
            bank.stop();

            new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica)
                    .ofFiles();
            assertTrue(proxy.accepted() > CUTS, proxy.accepted() + " connections");
        }
    }
}
