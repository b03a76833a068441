package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.TsoCommits;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a TRUNCATE that waits for its last member while something happens to the processes: a relay is killed, a shard is added, the leader is
 * killed, or the stream begins with tables that exist already.
 */
class DdlNodesIT {
    @TempDir
    private Path folder;

    @Test
    void aStatementStillWaitsAfterKillsOfARelayAndOfTheTask() throws Exception {
        withARelay(DdlNodesIT::waitForTheLastMember);
    }

    @Test
    void copiesOfOnlineToolsAreKnownAfterKillsOfARelayAndOfTheTask() throws Exception {
        withARelay(DdlNodesIT::swapOnEachShard);
    }

    /** Starts a Dumper, a Task, and a relay that reads the first shard. */
    private void withARelay(Scenario scenario) throws Exception {
        String between = "127.0.0.1:" + Ports.free();
        String relayed = "127.0.0.1:" + Ports.free();
        LocalCluster processes = LocalCluster.withShards(
                folder,
                DdlCluster.options(2),
                config -> DdlCluster.members(config).set("transmit.task", between),
                "--role",
                "dumper");
        try (processes) {
            NodeProcess relay = processes.newNode(
                    "relay", config -> withoutShard(config, "s2").set("transmit.listen", relayed), "--role", "relay");
            NodeProcess task = processes.newNode(
                    "task",
                    config -> config.set("transmit.listen", between)
                            .set("relay.near.address", relayed)
                            .set("relay.near.shards", "s1"),
                    "--role",
                    "task");
            List.of(relay, task, processes.node()).forEach(NodeProcess::launch);
            List.of(relay, task, processes.node()).forEach(NodeProcess::awaitHealthy);
            MysqlReplica replica = processes.attachByGtid(processes.newReplica("replica", 4));
            DdlCluster cluster = new DdlCluster(processes, replica).with(processes.node(), task);
            scenario.run(cluster, () -> {
                relay.kill9();
                relay.start();
                task.kill9();
                task.start();
            });
        }
    }

    @Test
    void aStatementWaitsInTheOrderOfCommitTimestampsToo() throws Exception {
        try (DdlCluster cluster = DdlCluster.start(folder, 2, config -> config.set("order.mode", "tso"))) {
            TsoCommits.on(cluster.cluster().shards());
            waitForTheLastMember(cluster, cluster::killAndRestart);
        }
    }

    @Test
    void aStatementStillWaitsAfterAChangeOfTheLeader() throws Exception {
        withAChangeOfLeader(DdlNodesIT::waitForTheLastMember);
    }

    @Test
    void copiesOfOnlineToolsAreKnownAfterAChangeOfTheLeader() throws Exception {
        withAChangeOfLeader(DdlNodesIT::swapOnOneShardAndSwapBack);
    }

    private void withAChangeOfLeader(Scenario scenario) throws Exception {
        ClusterNodes nodes = new ClusterNodes(folder, DdlCluster.options(2), 1, 3, DdlCluster::members);
        try (LocalCluster processes = nodes.cluster()) {
            nodes.launch();
            NodeProcess first = nodes.awaitServing(0, DdlCluster.LIMIT);
            MysqlReplica replica = nodes.attach(processes.newReplica("replica", 4));
            NodeProcess task = nodes.tasks().get(0);
            DdlCluster cluster = new DdlCluster(processes, replica).with(first, task);
            scenario.run(cluster, () -> {
                first.kill9();
                NodeProcess second = nodes.awaitServing(1, DdlCluster.LIMIT);
                assertNotEquals(first, second);
                cluster.with(second, task);
            });
        }
    }

    /** Statements, between which a fault happens. */
    @FunctionalInterface
    private interface Scenario {
        void run(DdlCluster cluster, Fault fault) throws Exception;
    }

    /** A fault that happens while a statement waits. */
    @FunctionalInterface
    private interface Fault {
        void happen() throws Exception;
    }

    /** Creates four members with a row each; three run TRUNCATE, then the fault happens, then the fourth runs it. */
    private static void waitForTheLastMember(DdlCluster cluster, Fault fault) throws Exception {
        cluster.onEach("CREATE DATABASE shop");
        for (int number = 0; number < 4; number++) {
            String table = "shop.orders_" + number;
            cluster.on(
                    number / 2 + 1,
                    "CREATE TABLE IF NOT EXISTS " + table + " (id INT PRIMARY KEY, v INT)",
                    "INSERT INTO " + table + " VALUES (" + number + ", 0)");
        }
        cluster.awaitReplicated();
        cluster.on(1, "TRUNCATE TABLE shop.orders_0", "INSERT INTO shop.orders_0 VALUES (100, 0)");
        cluster.on(1, "TRUNCATE TABLE shop.orders_1");
        cluster.on(2, "TRUNCATE TABLE shop.orders_2", "INSERT INTO shop.orders_2 VALUES (102, 0)");
        cluster.awaitLacking(List.of("s2:shop.orders_3"), "TRUNCATE", "shop.orders");
        fault.happen();
        cluster.awaitLacking(List.of("s2:shop.orders_3"), "TRUNCATE", "shop.orders");
        assertEquals("4", cluster.replica().server().text("SELECT COUNT(*) FROM shop.orders WHERE id < 100"));
        cluster.on(2, "INSERT INTO shop.orders_3 VALUES (103, 0)", "TRUNCATE TABLE shop.orders_3");
        cluster.awaitReplicated();
        cluster.assertOnce("TRUNCATE");
        cluster.assertUnion("shop");
        cluster.awaitNothingListed();
    }

    /** Swaps a copy on one shard after another; the fault happens while each copy exists. */
    private static void swapOnEachShard(DdlCluster cluster, Fault fault) throws Exception {
        cluster.onEach("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v INT)");
        for (int shard = 1; shard <= 2; shard++) {
            cluster.on(
                    shard,
                    "INSERT INTO shop.t VALUES (" + shard + ", 0)",
                    "CREATE TABLE shop._t_gho LIKE shop.t",
                    "ALTER TABLE shop._t_gho ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER id",
                    "INSERT INTO shop._t_gho (id, v) SELECT id, v FROM shop.t");
            cluster.awaitReplicated();
            fault.happen();
            cluster.on(
                    shard,
                    "RENAME TABLE shop.t TO shop._t_del, shop._t_gho TO shop.t",
                    "DROP TABLE shop._t_del",
                    "INSERT INTO shop.t VALUES (" + (10 + shard) + ", 3, 0)");
        }
        cluster.awaitReplicated();
        cluster.assertOnce("ALTER TABLE SHOP.T ");
        cluster.assertUnion("shop");
        cluster.awaitNothingListed();
    }

    /** Swaps a copy and swaps it back; the fault happens while the copy exists. */
    private static void swapOnOneShardAndSwapBack(DdlCluster cluster, Fault fault) throws Exception {
        cluster.on(
                1,
                "CREATE DATABASE shop",
                "CREATE TABLE shop.t (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE shop._t_gho LIKE shop.t",
                "ALTER TABLE shop._t_gho ADD COLUMN c INT");
        cluster.awaitReplicated();
        fault.happen();
        cluster.on(
                1,
                "RENAME TABLE shop.t TO shop._t_del, shop._t_gho TO shop.t",
                "INSERT INTO shop.t VALUES (1, 1, 1)",
                "DELETE FROM shop.t",
                "RENAME TABLE shop.t TO shop._t_gho, shop._t_del TO shop.t",
                "DROP TABLE shop._t_gho",
                "INSERT INTO shop.t VALUES (2, 2)");
        cluster.awaitReplicated();
        cluster.assertOnce("ALTER TABLE SHOP.T ", "ADD COLUMN C");
        cluster.assertOnce("ALTER TABLE SHOP.T ", "DROP COLUMN C");
        cluster.assertUnion("shop");
        cluster.awaitNothingListed();
    }

    @Test
    void aShardThatIsAddedMeanwhileAddsItsMembers() throws Exception {
        LocalCluster processes = LocalCluster.withShards(
                folder, DdlCluster.options(3), config -> withoutShard(DdlCluster.members(config), "s3"));
        try (processes) {
            processes.node().start();
            MysqlReplica replica = processes.attachByGtid(processes.newReplica("replica", 4));
            DdlCluster cluster = new DdlCluster(processes, replica);
            cluster.onEach(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.orders_0 (id INT PRIMARY KEY, v INT)",
                    "CREATE TABLE shop.other (id INT PRIMARY KEY, v INT)");
            cluster.on(1, "INSERT INTO shop.orders_0 VALUES (1, 0)");
            cluster.on(2, "INSERT INTO shop.orders_0 VALUES (2, 0)");
            List<MysqlServer> two = processes.shards().subList(0, 2);
            cluster.awaitReplicated(two);
            cluster.on(1, "TRUNCATE TABLE shop.orders_0", "INSERT INTO shop.orders_0 VALUES (11, 0)");
            cluster.awaitLacking(List.of("s2:shop.orders_0"), "TRUNCATE", "shop.orders");

            addThird(cluster);
            cluster.awaitLacking(List.of("s2:shop.orders_0", "s3:shop.orders_0"), "TRUNCATE", "shop.orders");
            cluster.on(3, "INSERT INTO shop.orders_0 VALUES (3, 0)");
            cluster.awaitReplica("3", "SELECT COUNT(*) FROM shop.orders");
            cluster.on(2, "TRUNCATE TABLE shop.orders_0");
            cluster.awaitLacking(List.of("s3:shop.orders_0"), "TRUNCATE", "shop.orders");
            cluster.killAndRestart();
            cluster.awaitLacking(List.of("s3:shop.orders_0"), "TRUNCATE", "shop.orders");
            cluster.on(3, "TRUNCATE TABLE shop.orders_0", "INSERT INTO shop.orders_0 VALUES (13, 0)");
            cluster.awaitReplicated();
            cluster.assertOnce("TRUNCATE");
            cluster.assertUnion("shop");
            cluster.assertSameDefinition("shop", "other");
            for (DdlStatement each :
                    cluster.listed()) { // it ran there before the frontier of the shard, so it never arrives
                assertEquals(List.of("s3:shop.other"), each.lacks(), each::toString);
                cluster.commands().assertDone("ddl", "done", each.id());
            }
            cluster.awaitNothingListed();
        }
    }

    /** Adds the third shard; a prepared branch there delays the end of the change until statements have run meanwhile. */
    private void addThird(DdlCluster cluster) throws Exception {
        NodeConfig config = cluster.node().config();
        config.shard(cluster.shard(3), cluster.shard(3).port(), MysqlUser.tributary())
                .withoutTls();
        prepare(cluster.shard(3));
        List<String> command = cluster.commands().line("shard", "add", "s3");
        try (ChildProcess add = ChildProcess.start(command, folder.resolve("add.log"))) {
            cluster.until(
                    () -> "the change to begin",
                    () -> cluster.node().logText().contains("shard change starts: verb=add shard=s3"));
            cluster.onEach("ALTER TABLE shop.other ADD INDEX by_v (v)", "CREATE TABLE shop.made (id INT PRIMARY KEY)");
            cluster.on(3, "XA COMMIT 'blocks','s3',1");
            cluster.until(() -> "the change to end", () -> !add.isAlive());
            assertEquals(0, add.exitValue(), cluster.node()::lastLines);
        }
        cluster.onEach("INSERT INTO shop.made VALUES (@@server_id)", "INSERT INTO shop.other VALUES (@@server_id, 0)");
    }

    private static void prepare(MysqlServer shard) throws SQLException {
        try (Sql sql = shard.sql()) {
            sql.execute(
                    "CREATE DATABASE private",
                    "CREATE TABLE private.t (id INT PRIMARY KEY)",
                    "XA START 'blocks','s3',1",
                    "INSERT INTO private.t VALUES (1)",
                    "XA END 'blocks','s3',1",
                    "XA PREPARE 'blocks','s3',1");
        }
    }

    private static NodeConfig withoutShard(NodeConfig config, String shard) {
        for (String key : List.of("host", "port", "user", "password", "tls")) {
            config.remove("shard." + shard + "." + key);
        }
        return config;
    }

    /** No statement and no row of these tables has been read when the first TRUNCATE arrives. */
    @Test
    void aTruncateWaitsForTablesThatExistedBeforeTheStream() throws Exception {
        LocalCluster processes = LocalCluster.withShards(
                folder,
                DdlCluster.options(2),
                config -> DdlCluster.members(config)
                        .set("shard.s1.start", "latest")
                        .set("shard.s2.start", "latest"));
        try (processes) {
            for (int shard = 0; shard < 2; shard++) {
                processes
                        .shards()
                        .get(shard)
                        .execute(
                                "CREATE DATABASE shop",
                                "CREATE TABLE shop.orders_" + shard + " (id INT PRIMARY KEY, v INT)");
            }
            MysqlReplica replica = processes.newReplica("replica", 4);
            replica.server()
                    .execute(
                            "SET sql_log_bin = 0",
                            "CREATE DATABASE shop",
                            "CREATE TABLE shop.orders (id INT PRIMARY KEY, v INT)");
            processes.node().start();
            DdlCluster cluster = new DdlCluster(processes, processes.attachByGtid(replica));
            cluster.on(1, "TRUNCATE TABLE shop.orders_0", "INSERT INTO shop.orders_0 VALUES (10, 0)");
            cluster.awaitLacking(List.of("s2:shop.orders_1"), "TRUNCATE", "shop.orders");
            cluster.on(2, "INSERT INTO shop.orders_1 VALUES (1, 0)");
            cluster.awaitReplica("1", "SELECT COUNT(*) FROM shop.orders");
            cluster.on(2, "TRUNCATE TABLE shop.orders_1", "INSERT INTO shop.orders_1 VALUES (11, 0)");
            cluster.awaitReplicated();
            cluster.assertOnce("TRUNCATE");
            cluster.assertUnion("shop");
            cluster.awaitNothingListed();
            assertTrue(cluster.replica().isRunning(), cluster.replica().error());
        }
    }
}
