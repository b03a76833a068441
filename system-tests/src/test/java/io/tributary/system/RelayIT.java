package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.order.OrderMode;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.OddTransactions;
import io.tributary.testkit.workload.TsoCommits;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a merge over three processes: two relays, and a shard that the Task reads itself. The relays are killed under load, and a shard moves
 * from one to the other.
 */
class RelayIT {
    private static final int TRANSACTIONS = 200;
    private static final List<String> SHARDS = List.of("s1", "s2", "s3", "s4");

    @Test
    void nothingIsLostOrRepeatedWhenRelaysAreKilled(@TempDir Path folder) throws Exception {
        run(folder, OrderMode.XA, List.of(0, 1));
    }

    @Test
    void nothingIsLostOrRepeatedInTheOrderOfCommitTimestamps(@TempDir Path folder) throws Exception {
        run(folder, OrderMode.TSO, List.of(0, 1));
    }

    /** @param kills the numbers of the relays that are killed, one after another */
    private static void run(Path folder, OrderMode order, List<Integer> kills) throws Exception {
        String between = "127.0.0.1:" + Ports.free();
        String first = "127.0.0.1:" + Ports.free();
        String second = "127.0.0.1:" + Ports.free();
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        SHARDS.stream().map(MysqlOptions::named).toList(),
                        config -> config.withoutTls()
                                .set("order.mode", order.name().toLowerCase(Locale.ROOT))
                                .set("transmit.task", between)
                                .set("transmit.credit", "1MiB")
                                .set("transmit.message", "1MiB"),
                        "--role",
                        "dumper");
                BankWorkload bank = bank(cluster, order)) {
            NodeProcess left =
                    cluster.newNode("left", config -> relay(config, first, List.of("s1", "s3")), "--role", "relay");
            NodeProcess right =
                    cluster.newNode("right", config -> relay(config, second, List.of("s2")), "--role", "relay");
            NodeProcess task = cluster.newNode(
                    "task",
                    config -> config.set("transmit.listen", between)
                            .set("relay.left.address", first)
                            .set("relay.left.shards", "s1,s3")
                            .set("relay.right.address", second)
                            .set("relay.right.shards", "s2"),
                    "--role",
                    "task");
            left.launch();
            right.launch();
            task.launch();
            cluster.node().launch();
            List.of(left, right, task, cluster.node()).forEach(NodeProcess::awaitHealthy);
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            OddTransactions odd = new OddTransactions(cluster.shards());
            odd.prepare();
            bank.prepare();
            bank.start();
            odd.huge(0, 8);
            odd.hugeRow(1, 5);
            Invariants.awaitMore(cluster, TRANSACTIONS);
            for (int kill : kills) {
                NodeProcess relay = List.of(left, right).get(kill);
                relay.kill9();
                relay.start();
                Invariants.awaitMore(cluster, TRANSACTIONS);
            }
            moveShard(cluster, bank, task, left, right);
            bank.stop();

            new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA, OddTransactions.SCHEMA), replica)
                    .ofFiles();
        }
    }

    private static BankWorkload bank(LocalCluster cluster, OrderMode order) throws Exception {
        BankOptions options = BankOptions.seeded(17).perSecond(200);
        return order == OrderMode.XA
                ? new BankWorkload(cluster.shards(), options)
                : new BankWorkload(cluster.shards(), options, TsoCommits.on(cluster.shards()));
    }

    /** Removes the third shard, which one relay reads, and adds it through the other relay, while the other shards are read. */
    private static void moveShard(
            LocalCluster cluster, BankWorkload bank, NodeProcess task, NodeProcess left, NodeProcess right)
            throws Exception {
        String connects = "tributary_extract_connects_total{shard=\"s3\"}";
        assertTrue(left.metric(connects) > 0);
        bank.stop();
        bank.use(List.of(0, 1, 3));
        bank.start();
        assertDone("remove", task);
        Await.until(
                "its metrics to be removed from the relay that read it",
                Invariants.LIMIT,
                () -> left.metric(connects) == 0);
        Invariants.awaitMore(cluster, TRANSACTIONS);

        task.config()
                .set("relay.left.shards", "s1")
                .set("relay.right.shards", "s2,s3")
                .write(task.configFile());
        MysqlTools.Outcome refused = change("add", task);
        assertEquals(1, refused.status(), refused.output());
        assertTrue(
                refused.output().contains("relay right") && refused.output().contains("would refuse"),
                refused.output());

        MysqlServer third = cluster.shards().get(2);
        right.config()
                .shard(third, third.port(), MysqlUser.tributary())
                .withoutTls()
                .write(right.configFile());
        assertDone("add", task);
        Await.until(
                () -> "the other relay to read the shard; " + right.lastLines() + task.lastLines(),
                Invariants.LIMIT,
                () -> right.metric(connects) > 0);
        bank.stop();
        bank.use(List.of(0, 1, 2, 3));
        bank.start();
        Invariants.awaitMore(cluster, TRANSACTIONS);
        right.kill9();
        right.start();
        Invariants.awaitMore(cluster, TRANSACTIONS);
        assertTrue(right.metric(connects) > 0);
    }

    private static void assertDone(String verb, NodeProcess task) {
        MysqlTools.Outcome outcome = change(verb, task);
        assertEquals(0, outcome.status(), outcome.output() + task.lastLines());
    }

    private static MysqlTools.Outcome change(String verb, NodeProcess task) {
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        return MysqlTools.run(
                List.of(program, "shard", verb, "s3", "-c", task.configFile().toString()));
    }

    private static NodeConfig relay(NodeConfig config, String listen, List<String> shards) {
        for (String shard : SHARDS) {
            if (!shards.contains(shard)) {
                for (String key : List.of("host", "port", "user", "password", "tls")) {
                    config.remove("shard." + shard + "." + key);
                }
            }
        }
        return config.set("transmit.listen", listen);
    }
}
