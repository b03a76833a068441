package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of {@code tributary verify} while a bank with XA transactions and rows that change and change back write: all rows that a test damages on the
 * replica are found, and nothing else. -Dtributary.verify.runs=50 runs more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerifyIT {
    private static final int RUNS = Integer.getInteger("tributary.verify.runs", 3);
    private static final long FIRST_SEED = Long.getLong("tributary.verify.seed", 1);
    private static final int HOT = 200;
    private static final int ROWS = 3_000;
    private static final long WRITE_PAUSE_NANOS = 25_000_000;
    private static final Pattern FINDING =
            Pattern.compile("\\{\"table\":\"([^\"]*)\",\"key\":\"([^\"]*)\",\"kind\":\"(\\w+)\".*");

    private LocalCluster cluster;
    private MysqlReplica replica;
    private BankWorkload bank;
    private volatile boolean isEnding;
    private final List<Thread> writers = new ArrayList<>();
    private final AtomicReference<SQLException> failed = new AtomicReference<>();

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        cluster = LocalCluster.withShards(folder, 2);
        for (int i = 0; i < 2; i++) {
            try (Sql sql = cluster.shards().get(i).sql()) {
                sql.execute(
                        "CREATE DATABASE shop",
                        "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT, b VARCHAR(20), f FLOAT, KEY (a))");
                List<String> rows = new ArrayList<>();
                for (int id = i; id < ROWS; id += 2) {
                    rows.add(row(id));
                }
                sql.execute("INSERT INTO shop.t VALUES " + String.join(",", rows));
            }
        }
        cluster.node().start();
        replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
        bank = new BankWorkload(
                cluster.shards(), BankOptions.seeded(FIRST_SEED).threads(2).perSecond(100));
        bank.prepare();
        // a row that is damaged before it arrives would not be damaged
        new Invariants(cluster).awaitApplied(replica);
        bank.start();
        for (MysqlServer shard : cluster.shards()) {
            Thread writer = new Thread(() -> write(shard), "writer-" + shard.name());
            writers.add(writer);
            writer.start();
        }
    }

    @AfterAll
    void end() throws Exception {
        isEnding = true;
        for (Thread writer : writers) {
            writer.join();
        }
        if (bank != null) {
            bank.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private static String row(int id) {
        return "(" + id + "," + id * 7 + ",'text " + id + "'," + id + ".1)";
    }

    /** Changes one row and the first rows of a shard all the time: there and back, by DELETE and INSERT too, and exchanges of values between two rows. */
    private void write(MysqlServer shard) {
        Random random = new Random(FIRST_SEED);
        int first = cluster.shards().indexOf(shard);
        try (Sql sql = shard.sql()) {
            while (!isEnding) {
                LockSupport.parkNanos(WRITE_PAUSE_NANOS);
                sql.execute("UPDATE shop.t SET a = a + 1 WHERE id = " + (HOT + first));
                int id = first + 2 * random.nextInt(HOT / 2);
                int other = (id + 2) % HOT;
                switch (random.nextInt(3)) {
                    case 0 -> sql.execute("UPDATE shop.t SET a = 1 - IF(a = 1, 1, 0) WHERE id = " + id);
                    case 1 ->
                        sql.execute("DELETE FROM shop.t WHERE id = " + id, "INSERT INTO shop.t VALUES " + row(id));
                    default ->
                        sql.execute("UPDATE shop.t x JOIN shop.t y ON x.id + y.id = " + (id + other)
                                + " SET x.b = y.b WHERE x.id IN (" + id + "," + other + ") AND y.id IN (" + id + ","
                                + other + ")"); // without a scan, which would wait for the row of the open branch
                }
            }
        } catch (SQLException e) {
            failed.set(e);
        }
    }

    @Test
    void everyDamagedRowIsFoundUnderLoadAndNothingElse() throws Exception {
        // a branch that stays prepared neither delays the comparison nor is seen by it
        cluster.shards()
                .get(0)
                .execute(
                        "XA START 'open'",
                        "INSERT INTO shop.t VALUES (100000, 1, 'x', 1)",
                        "DELETE FROM shop.t WHERE id = " + (HOT + 2),
                        "XA END 'open'",
                        "XA PREPARE 'open'");
        for (int run = 0; run < RUNS; run++) {
            long seed = FIRST_SEED + run;
            Map<String, String> damage = damage(new Random(seed));
            boolean repairs = run % 2 == 1;
            MysqlTools.Outcome outcome = repairs ? verify("--repair=run") : verify();
            assertEquals(damage.toString(), found(outcome).toString(), () -> "seed " + seed + ": " + outcome.output());
            assertEquals(1, outcome.status(), outcome::output);
            if (!repairs) {
                undo(damage);
            }
        }
        cluster.shards().get(0).execute("XA COMMIT 'open'");
        MysqlTools.Outcome clean = verify();
        assertEquals(0, clean.status(), clean::output);
        assertTrue(clean.output().contains("\"findings\":0"), clean::output);
        assertTrue(replica.isRunning(), replica.error());
        assertEquals(null, failed.get());
    }

    private MysqlTools.Outcome verify(String... more) {
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/env",
                "TRIBUTARY_REPLICA_PASSWORD=" + MysqlServer.ROOT_PASSWORD,
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "verify",
                "-c",
                cluster.node().configFile().toString(),
                "--replica",
                "127.0.0.1:" + replica.server().port(),
                "--replica-user",
                MysqlServer.ROOT,
                "--chunk",
                "500",
                "--json"));
        command.addAll(List.of(more));
        return MysqlTools.run(command);
    }

    private static Map<String, String> found(MysqlTools.Outcome outcome) {
        Map<String, String> found = new TreeMap<>();
        outcome.output()
                .lines()
                .map(FINDING::matcher)
                .filter(Matcher::matches)
                .filter(line -> !line.group(3).equals("busy") && !line.group(3).equals("last_change"))
                .forEach(line -> {
                    String before = found.put(line.group(1) + " " + line.group(2), line.group(3));
                    assertEquals(null, before, outcome::output);
                });
        return found;
    }

    /** Damages rows of the replica that nobody writes. */
    private Map<String, String> damage(Random random) throws SQLException {
        Map<String, String> damage = new TreeMap<>();
        TreeSet<Integer> used = new TreeSet<>();
        try (Sql sql = replica.server().sql()) {
            sql.execute("SET sql_log_bin = 0");
            for (int i = random.nextInt(6); i >= 0; i--) {
                int id = HOT + 3 + random.nextInt(ROWS - HOT - 3);
                if (!used.add(id)) {
                    continue;
                }
                switch (random.nextInt(3)) {
                    case 0 -> {
                        List<String> changes = List.of("a = a + 1", "b = UPPER(b)", "b = NULL", "f = f + 0.001");
                        sql.execute("UPDATE shop.t SET " + changes.get(random.nextInt(changes.size())) + " WHERE id = "
                                + id);
                        damage.put("shop.t id=" + id, "differs");
                    }
                    case 1 -> {
                        sql.execute("DELETE FROM shop.t WHERE id = " + id);
                        damage.put("shop.t id=" + id, "missing");
                    }
                    default -> {
                        int extra = random.nextBoolean() ? -id : ROWS + id;
                        sql.execute("INSERT INTO shop.t VALUES " + row(extra));
                        damage.put("shop.t id=" + extra, "extra");
                    }
                }
            }
        }
        return damage;
    }

    private void undo(Map<String, String> damage) throws SQLException {
        try (Sql sql = replica.server().sql()) {
            sql.execute("SET sql_log_bin = 0");
            for (String key : damage.keySet()) {
                int id = Integer.parseInt(key.substring(key.indexOf('=') + 1));
                sql.execute(
                        id < 0 || id >= ROWS
                                ? "DELETE FROM shop.t WHERE id = " + id
                                : "REPLACE INTO shop.t VALUES " + row(id));
            }
        }
    }
}
