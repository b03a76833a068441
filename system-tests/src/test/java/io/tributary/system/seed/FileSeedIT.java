package io.tributary.system.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.Myloader;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tributary seed --to-files} under load: it is killed, tables are altered meanwhile, and servers that were loaded from the files replicate strictly
 * and have exactly the rows of the shards.
 */
class FileSeedIT {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA, ChangingTable.SCHEMA);

    private static final List<String> STATEMENTS = List.of(
            "ALTER TABLE items ADD COLUMN note VARCHAR(20) DEFAULT 'none'",
            "CREATE VIEW dear AS SELECT id FROM items WHERE price > 5",
            "ALTER TABLE items MODIFY name VARCHAR(80) NOT NULL",
            "CREATE TABLE short (id INT PRIMARY KEY, v INT)",
            "INSERT INTO short VALUES (@@server_id, 1)",
            "ALTER TABLE log ADD COLUMN n INT",
            "DROP TABLE short",
            "ALTER TABLE items DROP COLUMN note",
            "DROP VIEW dear",
            "ALTER TABLE children ADD COLUMN v INT",
            "RENAME TABLE still TO moved",
            "RENAME TABLE moved TO still",
            "CREATE TABLE late (id INT PRIMARY KEY, v INT)",
            "INSERT INTO late VALUES (@@server_id, 1)",
            "TRUNCATE TABLE late");

    @TempDir
    private Path folder;

    @Test
    void serversThatAreLoadedFromTheFilesHaveExactlyTheRowsOfTheShards() throws Exception {
        List<MysqlOptions> options =
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3"));
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder, options, config -> config.withoutTls().startingAtLatest());
                BankWorkload bank = new BankWorkload(
                        cluster.shards(),
                        BankOptions.seeded(5).accountsPerShard(2000).perSecond(150));
                ChangingTable changing = new ChangingTable(cluster.shards())) {
            bank.prepare();
            changing.prepare();
            for (MysqlServer shard : cluster.shards()) {
                grant(cluster, shard);
                shard.execute(
                        "CREATE VIEW shop.b_first AS SELECT id FROM shop.items",
                        "CREATE VIEW shop.a_second AS SELECT id FROM shop.b_first",
                        "FLUSH BINARY LOGS",
                        "PURGE BINARY LOGS BEFORE NOW()");
            }
            cluster.node().start();
            bank.start();
            changing.start();

            Path files = folder.resolve("files");
            killSeed(cluster, files);
            assertEnds(cluster, files, "expected an empty folder, found files");
            Folders.delete(files);
            Path log = seedWhileTablesAreAltered(cluster, changing, files);
            assertTrue(text(log).contains("ready: "), () -> text(log));
            assertTrue(text(log).matches("(?s).*(Copied again|Another round).*"), () -> text(log));
            assertEnds(cluster, files, "expected an empty folder, found a complete seed");
            assertPermissions(files);

            Path some = folder.resolve("some");
            try (ChildProcess process = seed(cluster, some, folder.resolve("some.log"), "--tables", "shop.items")) {
                assertTrue(process.awaitExit(LIMIT), () -> text(folder.resolve("some.log")));
            }
            assertEquals(
                    List.of("metadata", "shop-schema-create.sql", "shop.items"),
                    names(some).stream()
                            .map(name -> name.startsWith("shop.items") ? "shop.items" : name)
                            .distinct()
                            .toList());

            MysqlReplica byScript = cluster.newReplica("script", 4);
            loadByScript(files, byScript);
            MysqlReplica byLoader = cluster.newReplica("loader", 4);
            loadByMyloader(files, byLoader);
            long more = changing.committed() + 200;
            Await.until("more transactions", LIMIT, () -> changing.committed() >= more);
            bank.stop();
            changing.stop();
            assertEqual(cluster, List.of(byScript, byLoader), SCHEMAS);
            for (MysqlReplica replica : List.of(byScript, byLoader)) {
                assertEquals(
                        replica.server().text("SELECT COUNT(*) FROM shop.items"),
                        replica.server().text("SELECT COUNT(*) FROM shop.a_second"));
            }
        }
    }

    /** Statements on tables, also on those that need a snapshot, and on views; each may come before, during or after the copy. */
    @Test
    void statementsMayRunMeanwhile() throws Exception {
        List<MysqlOptions> options = List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"));
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder, options, config -> config.withoutTls().startingAtLatest());
                ChangingTable changing = new ChangingTable(cluster.shards())) {
            changing.prepare();
            for (MysqlServer shard : cluster.shards()) {
                grant(cluster, shard);
                shard.execute(
                        "CREATE TABLE shop.`2024_odd` (id INT PRIMARY KEY)",
                        "INSERT INTO shop.`2024_odd` VALUES (@@server_id)");
            }
            cluster.node().start();
            changing.start();
            Await.until("rows of all tables", LIMIT, () -> changing.committed() >= 200);
            cluster.awaitAllWritten(LIMIT); // the node has learned the definitions
            Path files = folder.resolve("files");
            Path log = folder.resolve("seed.log");
            try (ChildProcess process = seed(cluster, files, log)) {
                for (String statement : STATEMENTS) {
                    runOnShards(cluster, changing, statement);
                }
                assertTrue(process.awaitExit(LIMIT), () -> text(log));
                assertEquals(0, process.exitValue(), () -> text(log));
            }
            MysqlReplica replica = cluster.newReplica("script", 4);
            loadByScript(files, replica);
            changing.stop();
            assertEqual(cluster, List.of(replica), List.of(ChangingTable.SCHEMA));
        }
    }

    private static void grant(LocalCluster cluster, MysqlServer shard) throws SQLException {
        String user = cluster.config().get("shard." + shard.name() + ".user");
        shard.execute("GRANT LOCK TABLES, SHOW VIEW ON *.* TO '" + user + "'");
    }

    private static void runOnShards(LocalCluster cluster, ChangingTable changing, String statement)
            throws SQLException {
        long before = changing.committed();
        for (MysqlServer shard : cluster.shards()) {
            shard.execute("USE shop", statement);
        }
        Await.until("more transactions", LIMIT, () -> changing.committed() >= before + 20);
    }

    private static void assertEqual(LocalCluster cluster, List<MysqlReplica> replicas, List<String> schemas)
            throws Exception {
        cluster.awaitAllWritten(LIMIT);
        for (MysqlReplica replica : replicas) {
            replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
            assertEquals("", replica.error());
            TableChecksum.compare(
                            TableChecksum.union(cluster.shards(), schemas), TableChecksum.of(replica.server(), schemas))
                    .assertClean();
        }
    }

    private void killSeed(LocalCluster cluster, Path files) throws Exception {
        Path log = folder.resolve("killed.log");
        try (ChildProcess process = seed(cluster, files, log)) {
            Await.until(
                    "rows in files",
                    LIMIT,
                    () -> !process.isAlive() || text(log).contains("Round 1") && hasFiles(files));
            assertTrue(process.isAlive(), () -> text(log));
            process.kill9();
        }
        assertFalse(Files.exists(files.resolve("dump/metadata")));
        assertFalse(Files.exists(files.resolve("load.sh")));
    }

    private static boolean hasFiles(Path files) {
        try (Stream<Path> entries = Files.list(files.resolve("dump"))) {
            return entries.findAny().isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private void assertEnds(LocalCluster cluster, Path files, String error) throws Exception {
        Path log = folder.resolve("refused-" + System.nanoTime() + ".log");
        try (ChildProcess process = seed(cluster, files, log)) {
            assertTrue(process.awaitExit(LIMIT), () -> text(log));
            assertNotEquals(0, process.exitValue());
        }
        assertTrue(text(log).contains("TARGET_UNFIT: "), () -> text(log));
        assertTrue(text(log).contains(error), () -> text(log));
    }

    /** One table is altered while it is copied, another one is made, and a third one is emptied. */
    private Path seedWhileTablesAreAltered(LocalCluster cluster, ChangingTable changing, Path files) throws Exception {
        Path log = folder.resolve("seed.log");
        try (ChildProcess process = seed(cluster, files, log)) {
            Await.until("the copy", LIMIT, () -> !process.isAlive() || text(log).contains("Round 1"));
            for (String statement : List.of(
                    "ALTER TABLE items ADD COLUMN note VARCHAR(20) DEFAULT 'none'",
                    "TRUNCATE TABLE still",
                    "CREATE TABLE late (id INT PRIMARY KEY, v INT)",
                    "INSERT INTO late VALUES (@@server_id, 1)")) {
                runOnShards(cluster, changing, statement);
            }
            assertTrue(process.awaitExit(LIMIT), () -> text(log));
            assertEquals(0, process.exitValue(), () -> text(log));
        }
        return log;
    }

    private static List<String> names(Path files) throws IOException {
        try (Stream<Path> entries = Files.list(files.resolve("dump"))) {
            return entries.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void assertPermissions(Path files) throws IOException {
        assertEquals("rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("dump"))));
        try (Stream<Path> entries = Files.list(files.resolve("dump"))) {
            for (Path file : entries.toList()) {
                assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
                assertFalse(file.toString().endsWith(".unfinished"), file::toString);
            }
        }
    }

    private static void loadByScript(Path files, MysqlReplica replica) throws Exception {
        MysqlTools tools = MysqlTools.cached();
        List<String> command = new ArrayList<>(tools.client(replica.server()));
        command.set(0, files.resolve("load.sh").toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("MYSQL", tools.mysql().toString());
        MysqlTools.Outcome outcome = MysqlTools.run(builder);
        assertEquals(0, outcome.status(), outcome.output());
        assertFalse(outcome.output().contains("ERROR"), outcome.output());
        start(files, replica);
    }

    private static void loadByMyloader(Path files, MysqlReplica replica) throws Exception {
        MysqlTools.Outcome loaded = Myloader.cached().load(replica.server(), files.resolve("dump"));
        assertEquals(0, loaded.status(), loaded.output());
        MysqlTools.Outcome early = mysql(files, replica, "replica.sql");
        assertNotEquals(0, early.status());
        assertTrue(early.output().contains("replayed "), early.output());
        assertEquals("", replica.server().text("SELECT @@GLOBAL.gtid_executed"));
        for (String file :
                List.of("replay.sql", "replay.sql", "views.sql", "replica.sql")) { // twice: it may be loaded again
            MysqlTools.Outcome outcome = mysql(files, replica, file);
            assertEquals(0, outcome.status(), outcome.output());
        }
        start(files, replica);
    }

    private static MysqlTools.Outcome mysql(Path files, MysqlReplica replica, String file) {
        return MysqlTools.cached().load(replica.server(), files.resolve(file));
    }

    private static void start(Path files, MysqlReplica replica) throws Exception {
        String place = replica.server().text("SELECT @@GLOBAL.gtid_executed");
        String metadata = text(files.resolve("dump/metadata"));
        assertTrue(metadata.contains("executed_gtid_set_after_replay = " + place), () -> place + "\n" + metadata);
        assertTrue(text(files.resolve("README.txt")).contains(place));
        replica.server()
                .execute(
                        "CHANGE REPLICATION SOURCE TO SOURCE_PASSWORD = '" + LocalCluster.READER.password() + "'",
                        "START REPLICA");
    }

    private static ChildProcess seed(LocalCluster cluster, Path files, Path log, String... more) {
        List<String> command = new ArrayList<>(List.of(
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "seed",
                "--config",
                cluster.node().configFile().toString(),
                "--to-files",
                files.toString(),
                "--rate",
                "32KiB"));
        command.addAll(List.of(more));
        return ChildProcess.start(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    }

    private static String text(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
