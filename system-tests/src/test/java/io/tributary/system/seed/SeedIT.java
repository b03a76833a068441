package io.tributary.system.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tributary seed} under load: it is killed at random, tables are altered meanwhile, and the replica has exactly the shards' rows. Its size: {@code
 * -Dkills=20 -Dseed=7 -Dshards=4 -Daccounts=250000 -Drate=400 -Dafter=20000}.
 */
class SeedIT {
    private static final long SEED = Long.getLong("seed", 11);
    private static final int KILLS = Integer.getInteger("kills", 3);
    private static final int SHARDS = Integer.getInteger("shards", 2);
    private static final int ACCOUNTS = Integer.getInteger("accounts", 2000);
    private static final int RATE = Integer.getInteger("rate", 200);
    private static final int AFTER = Integer.getInteger("after", 200);
    private static final Duration LIMIT = Duration.ofMinutes(ACCOUNTS > 10_000 ? 30 : 2);
    private static final long LATEST_KILL_NANOS = 20_000_000_000L;
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA, ChangingTable.SCHEMA);

    private static final List<String> STATEMENTS = List.of(
            "ALTER TABLE items ADD COLUMN note VARCHAR(20) DEFAULT 'none'",
            "CREATE VIEW dear AS SELECT id FROM items WHERE price > 5",
            "CREATE PROCEDURE nothing() SELECT 1",
            "ALTER TABLE items MODIFY name VARCHAR(80) NOT NULL",
            "CREATE TABLE short (id INT PRIMARY KEY, v INT)",
            "INSERT INTO short VALUES (@@server_id, 1)",
            "ALTER TABLE log ADD COLUMN n INT",
            "DROP TABLE short",
            "DROP PROCEDURE nothing",
            "ALTER TABLE items DROP COLUMN note",
            "DROP VIEW dear",
            "ALTER TABLE children ADD COLUMN v INT",
            "RENAME TABLE still TO moved",
            "RENAME TABLE moved TO still",
            "CREATE USER IF NOT EXISTS app_user IDENTIFIED BY 'x'",
            "GRANT SELECT ON shop.items TO app_user",
            "CREATE TABLE late (id INT PRIMARY KEY, v INT)",
            "INSERT INTO late VALUES (@@server_id, 1)");

    private final Random random = new Random(SEED);

    @TempDir
    private Path folder;

    @Test
    void theReplicaHasExactlyTheRowsOfTheShards() throws Exception {
        List<MysqlOptions> options = IntStream.rangeClosed(1, SHARDS)
                .mapToObj(i -> MysqlOptions.named("s" + i))
                .toList();
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder, options, config -> config.withoutTls().startingAtLatest());
                BankWorkload bank = new BankWorkload(
                        cluster.shards(),
                        BankOptions.seeded(SEED).accountsPerShard(ACCOUNTS).perSecond(RATE));
                ChangingTable changing = new ChangingTable(cluster.shards())) {
            bank.prepare();
            changing.prepare();
            for (MysqlServer shard : cluster.shards()) {
                shard.execute(
                        "GRANT LOCK TABLES ON *.* TO '" + cluster.config().get("shard." + shard.name() + ".user") + "'",
                        "FLUSH BINARY LOGS",
                        "PURGE BINARY LOGS BEFORE NOW()");
            }
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 4);
            bank.start();
            changing.start();

            int altered = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                if (kill * (SHARDS + 1) >= (altered + 1) * KILLS) {
                    alter(cluster.shards().get(altered++));
                }
                killSeed(cluster, replica);
            }
            while (altered < SHARDS) {
                alter(cluster.shards().get(altered++));
            }
            Path log = folder.resolve("seed.log");
            long begun = System.nanoTime();
            try (SeedProcess process = SeedProcess.start(cluster, replica.server(), log)) {
                process.awaitReady(LIMIT);
            }

            System.out.printf(
                    "seed=%d kills=%d shards=%d accounts=%d: the last run took %.1f s%n%s%n",
                    SEED, KILLS, SHARDS, ACCOUNTS, (System.nanoTime() - begun) / 1e9, text(log));
            long more = changing.committed() + AFTER;
            AtomicLong sums = new AtomicLong();
            Await.until("more transactions", LIMIT, () -> {
                assertEquals(bank.total(), sum(replica), "the sum of a snapshot of the replica");
                sums.incrementAndGet();
                return changing.committed() >= more;
            });
            System.out.println(sums + " sums were right, transactions of the bank: " + bank.figures());
            bank.stop();
            changing.stop();
            assertReplicaIsEqual(cluster, replica, SCHEMAS);
            assertEquals(
                    "0",
                    replica.server()
                            .text("SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME ="
                                    + " 'tributary_seed'"));
        }
    }

    private static void alter(MysqlServer shard) throws SQLException {
        shard.execute("ALTER TABLE shop.items ADD COLUMN note VARCHAR(20) DEFAULT 'none'");
    }

    /** Each snapshot of the replica is as of the end of a transaction. */
    private static long sum(MysqlReplica replica) throws SQLException {
        return Long.parseLong(replica.server().text("SELECT SUM(balance) FROM bank.accounts"));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Begins a seed and kills it after a random part of its work. */
    private void killSeed(LocalCluster cluster, MysqlReplica replica) throws Exception {
        Path log = folder.resolve("killed-" + random.nextInt(1 << 20) + ".log");
        try (SeedProcess process = SeedProcess.start(cluster, replica.server(), log)) {
            int lines = 2 + random.nextInt(5);
            long latest = System.nanoTime() + random.nextLong(LATEST_KILL_NANOS);
            Await.until(
                    "the seed to print " + lines + " lines",
                    LIMIT,
                    () -> !process.process().isAlive()
                            || process.text().lines().count() >= lines
                            || System.nanoTime() > latest
                                    && process.text().lines().count() > 1);
            process.process().kill9();
        }
    }

    /** Statements of all kinds run on the shards while the target is seeded; each may come before, during or after the copy of its table. */
    @Test
    void statementsOfAllKindsMayRunMeanwhile() throws Exception {
        List<MysqlOptions> options = List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"));
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder, options, config -> config.withoutTls().startingAtLatest());
                ChangingTable changing = new ChangingTable(cluster.shards())) {
            changing.prepare();
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("GRANT LOCK TABLES ON *.* TO '" + cluster.config().get("shard." + shard.name() + ".user")
                        + "'");
            }
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 4);
            changing.start();
            Path log = folder.resolve("seed.log");
            try (SeedProcess process = SeedProcess.start(cluster, replica.server(), log)) {
                for (String statement : STATEMENTS) {
                    long before = changing.committed();
                    for (MysqlServer shard : cluster.shards()) {
                        shard.execute("USE shop", statement);
                    }
                    Await.until("more transactions", LIMIT, () -> changing.committed() >= before + 20);
                }
                process.awaitReady(LIMIT);
            }
            changing.stop();
            assertReplicaIsEqual(cluster, replica, List.of(ChangingTable.SCHEMA));
        }
    }

    private static void assertReplicaIsEqual(LocalCluster cluster, MysqlReplica replica, List<String> schemas)
            throws Exception {
        cluster.awaitAllWritten(LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
        assertEquals("", replica.error());
        TableChecksum.compare(
                        TableChecksum.union(cluster.shards(), schemas), TableChecksum.of(replica.server(), schemas))
                .assertClean();
    }

    @Test
    void refusesATargetThatIsNotEmpty() throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1")),
                config -> config.withoutTls().startingAtLatest())) {
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 1);
            replica.server().execute("CREATE DATABASE own");
            Path log = folder.resolve("seed.log");
            try (SeedProcess process = SeedProcess.start(cluster, replica.server(), log)) {
                process.awaitError(
                        LIMIT,
                        "TARGET_UNFIT: ",
                        "expected a server without schemas, found own",
                        "expected an empty gtid_executed");
            }
        }
    }
}
