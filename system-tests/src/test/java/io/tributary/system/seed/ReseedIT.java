package io.tributary.system.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tributary shard reseed}: changes of a shard are lost with its binlogs, and the replica gets them as corrections while the other shard is written. */
class ReseedIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final List<String> SCHEMAS = List.of("goods");
    private static final int ROWS = 300;
    private static final int MOST_ATTEMPTS = 5;

    @TempDir
    private Path folder;

    /** Writes rows of one shard all the time. */
    private static final class OtherLoad implements AutoCloseable {
        private static final long PAUSE_NANOS = 5_000_000;

        private final MysqlServer shard;
        private final AtomicLong committed = new AtomicLong();
        private final Thread thread = new Thread(this::run, "other-load");
        private volatile boolean ends;
        private volatile Throwable failure;

        OtherLoad(MysqlServer shard) {
            this.shard = shard;
            thread.start();
        }

        private void run() {
            Random random = new Random(3);
            try (Sql sql = shard.sql()) {
                while (!ends) {
                    int a = 1_000_000 + random.nextInt(ROWS);
                    int b = 1_000_000 + random.nextInt(ROWS);
                    switch (random.nextInt(4)) {
                        case 0 -> sql.execute("DELETE FROM goods.items WHERE id = " + a);
                        case 1 ->
                            sql.execute(
                                    "INSERT IGNORE INTO goods.items (id, u, name) VALUES (" + a + ", " + b + ", 'x')");
                        case 2 -> sql.execute("UPDATE IGNORE goods.items SET id = id + 500000 WHERE id = " + a);
                        default ->
                            sql.execute("UPDATE goods.items SET price = price + 1 WHERE id IN (" + a + ", " + b + ")");
                    }
                    committed.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (SQLException | RuntimeException e) {
                failure = e;
            }
        }

        void awaitMore(int count) {
            long wanted = committed.get() + count;
            Await.until("more transactions", LIMIT, () -> failure != null || committed.get() >= wanted);
            assertEquals(null, failure);
        }

        @Override
        public void close() {
            ends = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void purgedChangesReachTheReplica() throws Exception {
        lostChangesReachTheReplica("SHARD_POSITION_PURGED", shard -> {
            shard.execute("FLUSH BINARY LOGS");
            String newest = shard.text("SHOW MASTER STATUS").split("\\s", 2)[0];
            shard.execute("PURGE BINARY LOGS TO '" + newest + "'");
        });
    }

    @Test
    void changesBeforeAResetReachTheReplica() throws Exception {
        lostChangesReachTheReplica("SHARD_HISTORY_LOST", shard -> shard.execute("RESET MASTER"));
    }

    private interface Loss {
        void of(MysqlServer shard) throws SQLException;
    }

    private void lostChangesReachTheReplica(String code, Loss loss) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls())) {
            MysqlReplica replica = begin(cluster);
            MysqlServer first = cluster.shards().get(0);
            MysqlServer second = cluster.shards().get(1);
            try (OtherLoad load = new OtherLoad(second)) {
                load.awaitMore(50);
                prepare(cluster.shards(), "half", 900);
                awaitApplied(cluster, replica);
                cluster.node().kill9();
                commit(cluster.shards(), "half");
                prepare(cluster.shards(), "whole", 901);
                commit(cluster.shards(), "whole");
                change(first);
                second.execute("INSERT INTO goods.items (id, u, name) VALUES (90, 90, 'moved')");
                loss.of(first);
                first.execute("INSERT INTO goods.items (id, u, name) VALUES (700, 700, 'after')");
                launchUntil(cluster, code);
                String printed = reseedWhenAllIsApplied(cluster, replica, code, load);
                assertTrue(printed.contains("stopped node, appended to the binlog"), printed);
                first.execute("UPDATE goods.items SET name = 'later' WHERE id BETWEEN 10 AND 20");
                cluster.node().start();
                load.awaitMore(100);
            }
            assertReplicaIsEqual(cluster, replica);
            assertEquals("later", replica.server().text("SELECT name FROM goods.items WHERE id = 15"));
            assertEquals(
                    "0",
                    first.text("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'tributary' AND"
                            + " TABLE_NAME LIKE 'correction%'"));
        }
    }

    /**
     * The node may write more until it is killed, up to what waits for the held shard. The command then says that the node has to be started once more, until the
     * replica has applied the rest.
     */
    private String reseedWhenAllIsApplied(LocalCluster cluster, MysqlReplica replica, String code, OtherLoad load)
            throws Exception {
        for (int attempts = 0; ; attempts++) {
            replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
            cluster.node().kill9();
            load.awaitMore(100);
            Outcome outcome = attempt(cluster, replica, "reseed", "s1");
            if (outcome.status() == 0) {
                return outcome.printed();
            }
            assertIsBehind(outcome, attempts);
            launchUntil(cluster, code);
        }
    }

    private static void assertIsBehind(Outcome outcome, int attempts) {
        String printed = outcome.printed();
        assertTrue(printed.contains("TARGET_UNFIT") && printed.contains("found one that lacks "), printed);
        assertTrue(attempts < MOST_ATTEMPTS, printed);
    }

    /** Starts the node, and waits until it reports what holds the shard. */
    private static void launchUntil(LocalCluster cluster, String code) {
        int before = cluster.node().logText().split(code, -1).length;
        cluster.node().launch();
        Await.until(
                () -> code + " in the log; " + cluster.node().lastLines(),
                LIMIT,
                () -> cluster.node().logText().split(code, -1).length > before);
    }

    @Test
    void aNodeThatIsKilledAmongTheCorrectionsWritesEachOnce() throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls())) {
            MysqlReplica replica = begin(cluster);
            MysqlServer first = cluster.shards().get(0);
            awaitApplied(cluster, replica);
            cluster.node().kill9();
            for (int i = 0; i < 1_000; i++) {
                first.execute("INSERT INTO goods.items (id, name, b) VALUES (" + (10_000 + i)
                        + ", 'large', REPEAT(CHAR(" + (i % 256) + "), 50000))");
            }
            first.execute("RESET MASTER");
            reseed(cluster, replica, 0);

            cluster.node().start();
            Await.until("the first corrections", LIMIT, () -> large(replica) > 0);
            cluster.node().kill9();
            assertNotEquals(1_000, large(replica));
            cluster.node().start();
            assertReplicaIsEqual(cluster, replica);
            assertEquals(1_000, large(replica));
        }
    }

    /** The third shard has rows when it joins. Afterwards it takes part in everything. */
    @Test
    void aShardJoinsWithItsRows() throws Exception {
        List<MysqlOptions> options =
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3"));
        try (LocalCluster cluster = LocalCluster.withShards(folder, options, config -> config.withoutTls())) {
            removeThird(cluster);
            MysqlReplica replica = begin(cluster);
            MysqlServer third = cluster.shards().get(2);
            fill(third, 2_000_000);
            third.execute("RESET MASTER");
            try (OtherLoad load = new OtherLoad(cluster.shards().get(1))) {
                load.awaitMore(50);
                cluster.node().terminate();
                cluster.node().start();
                String printed = addThird(cluster, replica);
                assertTrue(printed.contains("shard s3 will be read after "), printed);
                third.execute("UPDATE goods.items SET name = 'later' WHERE id < 2000010");
                cluster.node().start();
                load.awaitMore(50);
            }
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("ALTER TABLE goods.items ADD COLUMN more INT DEFAULT 4");
            }
            prepare(List.of(cluster.shards().get(0), third), "both", 950);
            commit(List.of(cluster.shards().get(0), third), "both");
            assertReplicaIsEqual(cluster, replica);
            assertEquals(
                    Integer.toString(ROWS),
                    replica.server().text("SELECT COUNT(*) FROM goods.parents WHERE name LIKE 'p2______'"));
        }
    }

    private static void removeThird(LocalCluster cluster) {
        for (String key : List.of("host", "port", "user", "password", "tls")) {
            cluster.config().remove("shard.s3." + key);
        }
    }

    /** Adds the third shard to the stopped node when the replica has applied all of its stream. */
    private String addThird(LocalCluster cluster, MysqlReplica replica) throws Exception {
        MysqlServer third = cluster.shards().get(2);
        for (int attempts = 0; ; attempts++) {
            awaitApplied(cluster, replica);
            cluster.node().kill9();
            cluster.config()
                    .shard(third, third.port(), MysqlUser.tributary())
                    .withoutTls()
                    .write(cluster.node().configFile());
            Outcome outcome = attempt(cluster, replica, "add", "s3", "--seed");
            if (outcome.status() == 0) {
                return outcome.printed();
            }
            assertIsBehind(outcome, attempts);
            removeThird(cluster);
            cluster.config().write(cluster.node().configFile());
            cluster.node().start();
        }
    }

    private static int large(MysqlReplica replica) {
        try {
            return Integer.parseInt(replica.server().text("SELECT COUNT(*) FROM goods.items WHERE name = 'large'"));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void refusesWhatItCannotMakeRight() throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, shards(), config -> config.withoutTls())) {
            MysqlReplica replica = begin(cluster);
            MysqlServer first = cluster.shards().get(0);
            awaitApplied(cluster, replica);
            String running = reseed(cluster, replica, 1);
            assertTrue(running.contains("NODE_UNREACHABLE") && running.contains("expected a stopped node"), running);

            replica.stop();
            first.execute("UPDATE goods.items SET price = 77 WHERE id = 1");
            cluster.awaitAllWritten(LIMIT);
            cluster.node().kill9();
            String behind = reseed(cluster, replica, 1);
            assertTrue(behind.contains("TARGET_UNFIT") && behind.contains("found one that lacks "), behind);
            cluster.node().start();
            replica.start();
            awaitApplied(cluster, replica);
            cluster.node().kill9();

            first.execute("ALTER TABLE goods.items ADD COLUMN more INT");
            String other = reseed(cluster, replica, 1);
            assertTrue(other.contains("table goods.items: expected the same columns"), other);
            first.execute("ALTER TABLE goods.items DROP COLUMN more");

            first.execute(
                    "XA START 'left'", "DELETE FROM goods.items WHERE id = 2", "XA END 'left'", "XA PREPARE 'left'");
            String prepared = reseed(cluster, replica, 1);
            assertTrue(prepared.contains("prepared branches"), prepared);
            first.execute("XA ROLLBACK 'left'");
        }
    }

    private static List<MysqlOptions> shards() {
        return List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"));
    }

    private static MysqlReplica begin(LocalCluster cluster) throws SQLException {
        cluster.node().start();
        MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
        for (int shard = 0; shard < 2; shard++) {
            fill(cluster.shards().get(shard), shard * 1_000_000);
        }
        return replica;
    }

    private static void fill(MysqlServer server, int base) throws SQLException {
        server.execute(
                "CREATE DATABASE goods",
                "CREATE TABLE goods.items (id INT PRIMARY KEY, u INT, name VARCHAR(40) CHARACTER SET latin1 NOT NULL,"
                        + " price DECIMAL(8,2) DEFAULT 1, twice DECIMAL(9,2) AS (price * 2) VIRTUAL,"
                        + " three DECIMAL(9,2) AS (price * 3) STORED, j JSON, b LONGBLOB, t TIMESTAMP(3) NULL,"
                        + " e ENUM('a', 'b'), bits BIT(9), f FLOAT, d DOUBLE, UNIQUE KEY (u))",
                "CREATE TABLE goods.parents (name VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, at DATETIME(6), PRIMARY KEY (name, at))",
                "CREATE TABLE goods.children (id INT PRIMARY KEY, name VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, at DATETIME(6),"
                        + " FOREIGN KEY (name, at) REFERENCES parents (name, at) ON DELETE CASCADE ON UPDATE CASCADE)");
        for (int i = 0; i < ROWS; i++) {
            int id = base + i;
            server.execute(
                    "INSERT INTO goods.items (id, u, name, j, b, t, e, bits, f, d) VALUES (" + id + ", " + id
                            + ", CONVERT(X'e4" + "6e' USING latin1), '{\"a\": [" + i + ", 1.5]}', X'00ff27" + "5c', "
                            + "'2024-02-29 01:02:03.456', 'b', b'101', 0.1, 1e-9)",
                    "INSERT INTO goods.parents VALUES ('p" + id + "', '2024-01-01 00:00:00.000001')",
                    "INSERT INTO goods.children VALUES (" + id + ", 'p" + id + "', '2024-01-01 00:00:00.000001')");
        }
    }

    /** The changes that are lost. */
    private static void change(MysqlServer shard) throws SQLException {
        shard.execute(
                "DELETE FROM goods.items WHERE id < 10",
                "UPDATE goods.items SET price = price + 5, j = JSON_SET(j, '$.n', 'ä'), b = X'27005c', t = NOW(3) WHERE id BETWEEN 10 AND 60",
                "DELETE FROM goods.items WHERE id = 90",
                "UPDATE goods.items SET u = -u WHERE id IN (70, 71)",
                "UPDATE goods.items SET u = 71 WHERE id = 70",
                "UPDATE goods.items SET u = 70 WHERE id = 71",
                "UPDATE goods.items SET id = id + 300 WHERE id BETWEEN 100 AND 110",
                "INSERT INTO goods.items (id, u, name, e, bits, f) VALUES (800, 5, 'new', 'a', b'1', 3.14159274)",
                "DELETE FROM goods.parents WHERE name LIKE 'p1%'",
                "UPDATE goods.parents SET name = UPPER(name) WHERE name = 'p250'",
                "INSERT INTO goods.parents VALUES ('q', '2025-01-01 00:00:00.5')",
                "INSERT INTO goods.children VALUES (5000, 'q', '2025-01-01 00:00:00.5')");
    }

    private static void prepare(List<MysqlServer> shards, String xid, int id) throws SQLException {
        for (int shard = 0; shard < shards.size(); shard++) {
            int row = shard * 1_000_000 + id;
            shards.get(shard)
                    .execute(
                            "XA START '" + xid + "'",
                            "INSERT INTO goods.items (id, u, name) VALUES (" + row + ", " + row + ", 'xa')",
                            "XA END '" + xid + "'",
                            "XA PREPARE '" + xid + "'");
        }
    }

    private static void commit(List<MysqlServer> shards, String xid) throws SQLException {
        for (MysqlServer shard : shards) {
            shard.execute("XA COMMIT '" + xid + "'");
        }
    }

    private static void awaitApplied(LocalCluster cluster, MysqlReplica replica) throws SQLException {
        long before = cluster.transactionsWritten();
        Await.until("transactions", LIMIT, () -> cluster.transactionsWritten() >= before);
        replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
        Await.until("a connection of the replica", LIMIT, () -> replica.error().isEmpty());
    }

    private static void assertReplicaIsEqual(LocalCluster cluster, MysqlReplica replica) throws Exception {
        cluster.awaitAllWritten(LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
        assertEquals("", replica.error());
        TableChecksum.compare(
                        TableChecksum.union(cluster.shards(), SCHEMAS), TableChecksum.of(replica.server(), SCHEMAS))
                .assertClean();
    }

    private String reseed(LocalCluster cluster, MysqlReplica replica, int status) throws IOException {
        return run(cluster, replica, status, "reseed", "s1");
    }

    /** Runs a command of {@code tributary shard}; returns what it prints. */
    private String run(LocalCluster cluster, MysqlReplica replica, int status, String... words) throws IOException {
        Outcome outcome = attempt(cluster, replica, words);
        assertEquals(status, outcome.status(), outcome.printed());
        return outcome.printed();
    }

    /** How a command ended. */
    private record Outcome(int status, String printed) {}

    private Outcome attempt(LocalCluster cluster, MysqlReplica replica, String... words) throws IOException {
        Path log = Files.createTempFile(folder, "reseed", ".log");
        List<String> line = new ArrayList<>(
                List.of(NodeProcess.projectHome().resolve("bin/tributary").toString(), "shard"));
        line.addAll(List.of(words));
        line.addAll(List.of(
                "--config",
                cluster.node().configFile().toString(),
                "--replica",
                "127.0.0.1:" + replica.server().port(),
                "--replica-user",
                MysqlServer.ROOT,
                "--shard-user",
                MysqlServer.ROOT));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment().put("TRIBUTARY_REPLICA_PASSWORD", MysqlServer.ROOT_PASSWORD);
        builder.environment().put("TRIBUTARY_SHARD_PASSWORD", MysqlServer.ROOT_PASSWORD);
        try (ChildProcess process = ChildProcess.start(builder)) {
            assertTrue(process.awaitExit(LIMIT), () -> text(log));
            return new Outcome(process.exitValue(), text(log));
        }
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
