package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that kills the node twenty times under load, at random moments of its start and its work. */
class NodeKilledIT {
    private static final long SEED = Long.getLong("seed", 3);
    private static final int KILLS = 20;
    private static final int MOST_BYTES = 120_000;
    private static final int KILLED_AT_START_OF = 5;

    @Test
    void nothingIsLostRepeatedOrChangedByTwentyKills(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3")),
                        config -> config.withoutTls().set("binlog.file.size", "256KiB"));
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(SEED).perSecond(150))) {
            cluster.node().start();
            MysqlReplica byGtid = cluster.attachByGtid(cluster.newReplica("by-gtid", 4));
            MysqlReplica byPosition =
                    cluster.attachByPosition(cluster.newReplica("by-position", 1), "binlog.000001", 4);
            bank.prepare();
            bank.start();
            Random random = new Random(SEED);
            for (int kill = 0; kill < KILLS; kill++) {
                runAndKill(cluster, random, folder.resolve("copy-" + kill));
                cluster.node().launch();
            }
            cluster.node().awaitHealthy();
            bank.stop();

            Invariants invariants = new Invariants(cluster)
                    .awaitApplied(byGtid, byPosition)
                    .ofTransactions(bank)
                    .ofReplicas(List.of(BankWorkload.SCHEMA), byGtid, byPosition);
            assertTrue(byGtid.isRunning() && byPosition.isRunning(), byGtid.error() + byPosition.error());
            invariants.ofFiles();
            for (int kill = 0; kill < KILLS; kill++) {
                if (Files.exists(folder.resolve("copy-" + kill))) {
                    RemoteReader.assertServedFrom(folder.resolve("copy-" + kill), cluster.binlogFolder());
                }
            }
        }
    }

    /** Kills a launched node: sometimes during its start, otherwise after it has written some bytes; a reader copies what it receives. */
    private static void runAndKill(LocalCluster cluster, Random random, Path copy) throws IOException {
        boolean duringStart = random.nextInt(KILLED_AT_START_OF) == 0;
        long bytes = random.nextInt(MOST_BYTES);
        if (duringStart) {
            int lines = random.nextInt(6);
            long before = cluster.node().logText().lines().count();
            Await.until(
                    "the node to begin",
                    Invariants.LIMIT,
                    () -> cluster.node().logText().lines().count() >= before + lines
                            || cluster.node().isHealthy());
            cluster.node().kill9();
            return;
        }
        cluster.node().awaitHealthy();
        List<Path> files = RemoteReader.files(cluster.binlogFolder());
        String last = files.get(files.size() - 1).getFileName().toString();
        long target = size(cluster.binlogFolder()) + bytes;
        try (RemoteReader reader = RemoteReader.follow(cluster, copy, last)) {
            Await.until(
                    () -> "the node to write; " + cluster.node().lastLines(),
                    Duration.ofMinutes(1),
                    () -> size(cluster.binlogFolder()) >= target);
            cluster.node().kill9();
            reader.awaitEnd();
        }
    }

    private static long size(Path folder) throws IOException {
        long size = 0;
        for (Path file : RemoteReader.files(folder)) {
            size += Files.size(file);
        }
        return size;
    }
}
