package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that adds a shard and removes another one under load; the node is killed during each change. */
class ShardChangeIT {
    private static final long SEED = Long.getLong("seed", 5);
    private static final int TRANSACTIONS = 300;

    private final Random random = new Random(SEED);
    private LocalCluster cluster;
    private BankWorkload bank;

    @Test
    void nothingIsLostRepeatedOrTornWhileShardsAreAddedAndRemoved(@TempDir Path folder) throws Exception {
        List<MysqlOptions> servers = new ArrayList<>();
        for (String name : List.of("s1", "s2", "s3", "s4")) {
            servers.add(MysqlOptions.named(name));
        }
        try (LocalCluster started = LocalCluster.withShards(
                        folder, servers, config -> withoutShard(config, "s4").withoutTls());
                BankWorkload load = new BankWorkload(
                        started.shards(), BankOptions.seeded(SEED).perSecond(250))) {
            cluster = started;
            bank = load;
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            bank.use(List.of(0, 1, 2));
            bank.prepare();
            bank.prepareTables(3);
            bank.start();
            Invariants.awaitMore(cluster, TRANSACTIONS);

            assertNotEquals(0, run("add", "s4").status(), "expected a refusal, because its keys are missing");
            configureShard(cluster.shards().get(3));
            killDuring("add", "s4");
            assertDone("add", "s4");
            killAndRestart();
            bank.openAccounts(3);
            useFromNowOn(List.of(0, 1, 2, 3));
            Invariants.awaitMore(cluster, TRANSACTIONS);

            useFromNowOn(List.of(1, 2, 3)); // the first shard gets no more transactions
            killDuring("remove", "s1");
            assertDone("remove", "s1");
            killAndRestart(); // its keys are still there
            assertTrue(cluster.node().logText().contains("shard not read: shard=s1 "));
            withoutShard(cluster.config(), "s1");
            killAndRestart();
            Invariants.awaitMore(cluster, TRANSACTIONS);
            bank.stop();

            List<MysqlServer> rest = cluster.shards().subList(1, 4);
            assertFalse(cluster.node().fact("frontier.s1").isPresent());
            new Invariants(cluster)
                    .awaitApplied(rest, replica)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), replica)
                    .ofFiles();
            assertTrue(bank.figures().xa() > 50, "too few XA transactions: " + bank.figures());
        }
    }

    private static NodeConfig withoutShard(NodeConfig config, String shard) {
        for (String key : List.of("host", "port", "user", "password", "tls")) {
            config.remove("shard." + shard + "." + key);
        }
        return config;
    }

    private void configureShard(MysqlServer shard) {
        cluster.config().shard(shard, shard.port(), MysqlUser.tributary()).withoutTls();
        cluster.config().write(cluster.node().configFile());
    }

    /** Begins a change, kills the node at a random moment of it, and starts it again. */
    private void killDuring(String verb, String shard) throws Exception {
        Path log = cluster.folder().resolve(verb + ".log");
        NodeProcess node = cluster.node();
        long before = lines(node, "shard change starts: verb=" + verb + " shard=" + shard);
        try (ChildProcess command = ChildProcess.start(command(verb, shard), log)) {
            long more = random.nextInt(4);
            Await.until(
                    () -> "the change to begin; " + node.lastLines(),
                    Invariants.LIMIT,
                    () -> lines(node, "shard change starts: verb=" + verb + " shard=" + shard) > before
                            && (!command.isAlive()
                                    || !Files.exists(log)
                                    || Files.readAllLines(log).size() >= more));
            node.kill9();
            Await.until("the command to end", Invariants.LIMIT, () -> !command.isAlive());
        }
        node.start();
    }

    private static long lines(NodeProcess node, String part) {
        return node.logText().lines().filter(line -> line.contains(part)).count();
    }

    private void killAndRestart() {
        cluster.node().kill9();
        cluster.node().start();
    }

    private void useFromNowOn(List<Integer> shards) {
        bank.stop();
        bank.use(shards);
        bank.start();
    }

    private void assertDone(String verb, String shard) throws Exception {
        MysqlTools.Outcome outcome = run(verb, shard);
        assertEquals(0, outcome.status(), outcome.output() + cluster.node().lastLines());
    }

    private MysqlTools.Outcome run(String verb, String shard) throws Exception {
        return MysqlTools.run(command(verb, shard));
    }

    private List<String> command(String verb, String shard) {
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        return List.of(
                program, "shard", verb, shard, "-c", cluster.node().configFile().toString());
    }
}
