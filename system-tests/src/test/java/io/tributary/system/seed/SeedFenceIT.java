package io.tributary.system.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seed whose process stands still while a later one seeds the same server, and which then resumes. */
class SeedFenceIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final List<String> SCHEMAS = List.of("shop");
    private static final Pattern OTHER = Pattern.compile("found one in connection (\\d+)");

    @TempDir
    private Path folder;

    @Test
    void aFrozenSeedWritesNothingAfterALaterOne() throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1")),
                config -> config.withoutTls().startingAtLatest())) {
            MysqlServer shard = cluster.shards().get(0);
            shard.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.items (id INT PRIMARY KEY, v VARCHAR(1000))",
                    "SET SESSION cte_max_recursion_depth = 1000000",
                    "INSERT INTO shop.items WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
                            + " SELECT i, REPEAT('v', 1000) FROM n");
            cluster.node().start();
            MysqlReplica replica = cluster.newReplica("replica", 2);
            MysqlServer target = replica.server();
            try (SeedProcess frozen =
                    SeedProcess.start(cluster, target, folder.resolve("frozen.log"), "--rate", "2MiB")) {
                Await.until("copied rows: " + frozen.text(), LIMIT, () -> rows(target) > 3000);
                frozen.process().pause();
                endControl(cluster, target);
                try (SeedProcess later = SeedProcess.start(cluster, target, folder.resolve("later.log"))) {
                    later.awaitReady(LIMIT);
                }
                shard.execute("DELETE FROM shop.items WHERE id > 10");
                cluster.awaitAllWritten(LIMIT);
                replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
                assertEquals(10, rows(target));
                frozen.process().resume();
                frozen.awaitError(LIMIT, "SEED_FAILED: ", "expected no other seed of this server", "has completed");
            }
            shard.execute("INSERT INTO shop.items VALUES (20000, 'new')");
            cluster.awaitAllWritten(LIMIT);
            replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
            assertEquals("", replica.error());
            TableChecksum.compare(TableChecksum.union(cluster.shards(), SCHEMAS), TableChecksum.of(target, SCHEMAS))
                    .assertClean();
        }
    }

    /** Ends the session that the refusal of another seed names, as its message says. */
    private void endControl(LocalCluster cluster, MysqlServer target) throws Exception {
        try (SeedProcess refused = SeedProcess.start(cluster, target, folder.resolve("refused.log"))) {
            refused.awaitError(LIMIT, "TARGET_UNFIT: ", "expected no other seed of this server");
            Matcher other = OTHER.matcher(refused.text());
            assertTrue(other.find(), refused::text);
            target.execute("KILL " + other.group(1));
        }
    }

    private static long rows(MysqlServer target) {
        try {
            return Long.parseLong(target.text("SELECT COUNT(*) FROM shop.items"));
        } catch (SQLException e) {
            return 0; // it is not made yet
        }
    }
}
