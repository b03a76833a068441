package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.OddTransactions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of Task and Dumper as two processes: the result is the same, also if each of them is killed or ended under load. */
class SplitRolesIT {
    private static final int TRANSACTIONS = 400;

    @Test
    void theResultIsTheSameAsOfOneProcessWhenEachProcessIsKilled(@TempDir Path folder) throws Exception {
        String between = "127.0.0.1:" + Ports.free();
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3")),
                        config -> config.set("transmit.listen", between)
                                .set("transmit.task", between)
                                .set("transmit.credit", "1MiB")
                                .set("transmit.message", "1MiB")
                                .set("binlog.file.size", "1MiB"),
                        "--role",
                        "dumper");
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(13).perSecond(400))) {
            NodeProcess task = cluster.newNode("task", config -> config, "--role", "task");
            NodeProcess dumper = cluster.node();
            task.start();
            dumper.start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            OddTransactions odd = new OddTransactions(cluster.shards());
            odd.prepare();
            bank.prepare();
            bank.start();
            odd.huge(0, 8);
            odd.hugeRow(1, 18);
            Invariants.awaitMore(cluster, TRANSACTIONS);
            task.kill9();
            task.start();
            Invariants.awaitMore(cluster, TRANSACTIONS);
            dumper.kill9();
            dumper.start();
            Invariants.awaitMore(cluster, TRANSACTIONS);
            String log = task.logText();
            assertTrue(!log.contains("\tat "), () -> "expected no stack trace for a lost Dumper: " + log);
            assertTrue(task.terminate() && dumper.terminate(), "both end on SIGTERM under load");
            dumper.launch();
            task.start();
            dumper.awaitHealthy();
            Invariants.awaitMore(cluster, TRANSACTIONS);
            bank.stop();

            new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA, OddTransactions.SCHEMA), replica)
                    .ofFiles();
        }
    }
}
