package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.workload.MixedWorkload;
import io.tributary.testkit.workload.OddTransactions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with every type of column, compressed and partial events, rows larger than a packet, and transactions larger than the memory. */
class MixedIT {
    private static final List<String> SCHEMAS = List.of(MixedWorkload.SCHEMA, OddTransactions.SCHEMA);

    @Test
    void everyKindOfTransactionIsWrittenUnchanged(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("store.memory", "16MiB")
                        .set("store.spill.transaction", "4MiB")
                        .set("store.spill.event", "2MiB")
                        .set("store.segment", "1MiB")
                        .set("binlog.file.size", "8MiB"))) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            OddTransactions odd = new OddTransactions(cluster.shards());
            odd.prepare();
            try (MixedWorkload mixed = new MixedWorkload(cluster.shards(), 23, 8, 4, true)) {
                mixed.prepare();
                mixed.start();
                odd.compressed(0);
                odd.empty(1);
                odd.hugeRow(0, 20);
                odd.huge(1, 48);
                odd.hugeRow(1, 3);
                mixed.stop();
                assertTrue(mixed.committed() > 100, mixed.committed() + " transactions");
            }
            new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions()
                    .ofReplicas(SCHEMAS, replica)
                    .ofFiles();
        }
    }
}
