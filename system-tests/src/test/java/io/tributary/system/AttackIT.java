package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.LogCopies;
import io.tributary.local.NodeProcess;
import io.tributary.system.attack.AdminAttacks;
import io.tributary.system.attack.Attack;
import io.tributary.system.attack.Footprint;
import io.tributary.system.attack.GrpcAttacks;
import io.tributary.system.attack.SessionAttacks;
import io.tributary.system.attack.ZooKeeperAttacks;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.RawClient;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with a Task and two Dumpers under load, and a replica. Clients without a login, and a reader with one, attack every listening port,
 * several attacks at the same time, in an order that depends on a seed. Afterwards the replica has all transactions and is as fast as before, and
 * the nodes use as much memory, threads and descriptors as before.
 */
class AttackIT {
    private static final long SEED = 13;
    private static final int AT_ONCE = 4;
    private static final int ROUNDS = 2;
    private static final int MARKS = 5;
    private static final Duration MOST_LAG = Duration.ofSeconds(1);
    private static final String GREEDY = "greedy";
    /** Holds as many sessions as one user may have: not the user of the other attacks, which log in at the same time. */
    private static final String IDLE = "idle";

    private static final String PASSWORD = "greedy-secret";

    @TempDir
    private Path folder;

    private ClusterNodes nodes;
    private LocalCluster cluster;
    private MysqlReplica replica;
    private int marks;

    @Test
    void nodesSurviveAllAttacksAndUseNoMoreThanBefore() throws Exception {
        nodes = new ClusterNodes(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                1,
                2,
                config -> config.set("cluster.zookeeper.auth", "tributary:secret")
                        .set("cluster.lease", "8s")
                        .withoutTls());
        try (LocalCluster closed = nodes.cluster();
                BankWorkload bank =
                        new BankWorkload(closed.shards(), BankOptions.seeded(13).perSecond(100))) {
            cluster = closed;
            nodes.launch();
            NodeProcess leader = nodes.awaitServing(0, Invariants.LIMIT);
            long epoch = ClusterNodes.epoch(leader);
            for (NodeProcess dumper : nodes.dumpers()) {
                for (String user : List.of(GREEDY, IDLE)) {
                    new UserCommand(dumper).run(PASSWORD, "add", user, "--native");
                }
            }
            replica = nodes.attach(cluster.newReplica("replica", 4));
            bank.prepare();
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("CREATE DATABASE marks", "CREATE TABLE marks.t (id INT PRIMARY KEY)");
            }
            bank.start();
            assertFollowsQuickly();
            attack(leader, new Random(SEED), 1); // from now on each listener has its threads and buffers
            Map<NodeProcess, Footprint> before = footprints();

            attack(leader, new Random(SEED), ROUNDS);

            assertFollowsQuickly();
            awaitFootprints(before);
            assertEquals(epoch, ClusterNodes.epoch(leader), "expected no election during the attacks");
            RawClient.login(ClusterNodes.servePort(leader), GREEDY, PASSWORD).close();
            bank.stop();
            cluster.awaitAllWritten(leader, Invariants.LIMIT);
            LogCopies.awaitSame(leader, nodes.dumpers(), Invariants.LIMIT);
            replica.awaitGtids(leader.fact("gtid.executed").orElseThrow(), Invariants.LIMIT);
            new Invariants(cluster).ofTransactions(bank).ofReplicas(List.of(BankWorkload.SCHEMA, "marks"), replica);
        }
    }

    private void attack(NodeProcess leader, Random random, int rounds) throws Exception {
        String uuid = replica.server().text("SELECT @@server_uuid");
        ExecutorService attackers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (int round = 0; round < rounds; round++) {
                List<Attack> all = attacks(leader, uuid, random);
                Collections.shuffle(all, random);
                Map<Attack, Future<?>> running = new LinkedHashMap<>();
                for (Attack each : all) {
                    running.put(each, attackers.submit(() -> {
                        each.body().run();
                        return null;
                    }));
                }
                for (Map.Entry<Attack, Future<?>> each : running.entrySet()) {
                    try {
                        each.getValue().get(Invariants.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new AssertionError(
                                "seed " + SEED + ", " + each.getKey().name() + "; " + cluster.lastLines(), e);
                    }
                }
            }
        } finally {
            attackers.shutdownNow();
            assertTrue(attackers.awaitTermination(Invariants.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private List<Attack> attacks(NodeProcess leader, String uuid, Random random) {
        NodeProcess task = nodes.tasks().get(0);
        List<Attack> all = new ArrayList<>();
        for (NodeProcess node : nodes.all()) {
            all.addAll(new AdminAttacks(port(node, "admin.listen"), random.nextLong()).all());
        }
        all.addAll(
                new GrpcAttacks(port(task, "transmit.listen"), port(leader, "dumper.listen"), random.nextLong()).all());
        all.addAll(new ZooKeeperAttacks(nodes.zookeeper().address()).all());
        int serve = ClusterNodes.servePort(leader);
        all.addAll(new SessionAttacks(serve, GREEDY, PASSWORD, random.nextLong()).all(uuid));
        all.add(new Attack("idle sessions", () -> SessionAttacks.idleSessions(serve, IDLE, PASSWORD)));
        return all;
    }

    private static int port(NodeProcess node, String key) {
        String listen = node.config().get(key);
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    private Map<NodeProcess, Footprint> footprints() throws Exception {
        Map<NodeProcess, Footprint> all = new LinkedHashMap<>();
        for (NodeProcess node : nodes.all()) {
            all.put(node, Footprint.of(node));
        }
        return all;
    }

    private void awaitFootprints(Map<NodeProcess, Footprint> before) {
        for (NodeProcess node : nodes.all()) {
            List<Footprint> seen = new ArrayList<>();
            Await.until(
                    () -> node.name() + " to use as much as before, " + before.get(node) + "; it used " + seen,
                    Invariants.LIMIT,
                    () -> {
                        seen.add(Footprint.of(node));
                        return seen.get(seen.size() - 1).isBackTo(before.get(node));
                    });
        }
    }

    /** Checks the median time of several rows from the commit on a shard to the replica. */
    private void assertFollowsQuickly() throws SQLException {
        List<Duration> lags = new ArrayList<>();
        for (int i = 0; i < MARKS; i++) {
            int mark = ++marks;
            cluster.shards().get(0).execute("INSERT INTO marks.t VALUES (" + mark + ")");
            long since = System.nanoTime();
            Await.until(
                    () -> "mark " + mark + " on the replica; " + cluster.lastLines(),
                    Invariants.LIMIT,
                    () -> isThere("marks.t", mark));
            lags.add(Duration.ofNanos(System.nanoTime() - since));
        }
        Collections.sort(lags);
        assertTrue(lags.get(MARKS / 2).compareTo(MOST_LAG) < 0, () -> "lags " + lags);
    }

    private boolean isThere(String table, int id) {
        try {
            return replica.server()
                    .text("SELECT COUNT(*) FROM " + table + " WHERE id = " + id)
                    .equals("1");
        } catch (SQLException e) {
            return false; // the table does not exist yet
        }
    }
}
