package io.tributary.system;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.KeyWorkload;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An applier (node.role=apply) whose process and whose target are killed at random moments, under a load with XA transactions, unique swaps, foreign
 * keys and tables without keys: at the end the target has the rows of all shards.
 */
class ApplyIT {
    private static final int KILLS = Integer.getInteger("kills", 6);
    private static final long SEED = Long.getLong("seed", 11);
    private static final List<String> SCHEMAS = List.of(KeyWorkload.SCHEMA, BankWorkload.SCHEMA);

    @ParameterizedTest
    @CsvSource({"events, none", "sql, strict"})
    void eachTransactionIsAppliedOnceWhateverIsKilled(String backend, String order, @TempDir Path folder)
            throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> config.set("binlog.file.size", "1MiB").withoutTls());
                MysqlServer target =
                        MysqlServer.start(MysqlOptions.named("target").in(folder.resolve("target")));
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(SEED).perSecond(150));
                KeyWorkload keys = new KeyWorkload(cluster.shards(), SEED, 4)) {
            cluster.node().start();
            NodeProcess applier = applier(cluster, target, backend, order);
            applier.launch();
            bank.prepare();
            keys.prepare();
            bank.start();
            Random random = new Random(SEED);
            for (int kill = 0; kill < KILLS; kill++) {
                awaitMore(target, cluster, applier);
                keys.run(Duration.ofMillis(500));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(700)));
                if (random.nextBoolean()) {
                    applier.kill9();
                    applier.launch();
                } else {
                    target.kill9();
                    target.restart();
                }
            }
            bank.stop();
            cluster.awaitAllWritten(Invariants.LIMIT);
            awaitApplied(cluster, applier);
            new Invariants(cluster).ofReplicas(SCHEMAS, new MysqlReplica(target));
        }
    }

    private static NodeProcess applier(LocalCluster cluster, MysqlServer target, String backend, String order) {
        return cluster.newNode(
                "applier",
                config -> config.set("node.role", "apply")
                        .set("admin.listen", "127.0.0.1:" + Ports.free())
                        .set("apply.nodes", "127.0.0.1:" + cluster.servePort())
                        .set("apply.user", LocalCluster.READER.name())
                        .set("apply.password", LocalCluster.READER.password())
                        .set("apply.target", "127.0.0.1:" + target.port())
                        .set("apply.target.user", MysqlServer.ROOT)
                        .set("apply.target.password", MysqlServer.ROOT_PASSWORD)
                        .set("apply.backend", backend)
                        .set("apply.order", order)
                        .set("apply.retry", "500ms"));
    }

    /** Waits until the target has changed since the last call. */
    private static void awaitMore(MysqlServer target, LocalCluster cluster, NodeProcess applier) {
        double before = applied(applier);
        Await.until(
                () -> "more transactions on " + target.name() + "; " + cluster.lastLines(),
                Invariants.LIMIT,
                () -> applied(applier) > before + 20);
    }

    private static double applied(NodeProcess applier) {
        return applier.ask("/metrics").isEmpty() ? 0 : applier.metric("tributary_apply_transactions_total");
    }

    private static void awaitApplied(LocalCluster cluster, NodeProcess applier) throws SQLException {
        String all = cluster.gtidExecuted();
        Await.until(
                () -> "the applier to apply " + all + "; " + applier.facts() + "; " + applier.lastLines(),
                Invariants.LIMIT,
                () -> applier.facts().getOrDefault("apply.executed", "").equals(all)
                        || "0".equals(applier.facts().get("apply.lag.transactions"))
                                && applier.facts()
                                        .getOrDefault("apply.executed", "")
                                        .endsWith(all.substring(all.indexOf(':'))));
    }
}
