package io.tributary.testkit.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.workload.MixedWorkload;
import io.tributary.testkit.workload.OddTransactions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a real server pass, damaged ones fail; equal tables have equal checksums, different tables do not. */
class FileChecksTest {
    private static final List<String> SCHEMAS = List.of("mixed", "odd");

    @TempDir
    static Path folder;

    private static List<Path> files;

    @BeforeAll
    static void runARealServerWithAReplica() throws Exception {
        try (MysqlServers servers =
                MysqlServers.start(List.of(MysqlOptions.named("source"), MysqlReplica.options("replica", 2)))) {
            MysqlServer source = servers.get(0);
            MixedWorkload mixed = new MixedWorkload(List.of(source), 9, 8, 4, true);
            OddTransactions odd = new OddTransactions(List.of(source));
            mixed.prepare();
            odd.prepare();
            for (int i = 0; i < 3; i++) {
                mixed.run(60L);
                source.execute("FLUSH BINARY LOGS");
            }
            odd.huge(0, 2);
            odd.compressed(0);
            odd.empty(0);
            MysqlUser user =
                    new MysqlUser("repl", "pw", MysqlUser.CACHING_SHA2).create(source, "REPLICATION SLAVE ON *.*");
            MysqlReplica replica = new MysqlReplica(servers.get(1));
            replica.attachByGtid(source.host(), source.port(), user.name(), user.password());
            replica.awaitGtids(source.gtidExecuted(), Duration.ofSeconds(30));
            compareTables(source, replica.server());
            Folders.copy(source.dataFolder(), folder.resolve("source"));
        }
        files = BinlogReader.ofFolder(folder.resolve("source")).files();
    }

    private static void compareTables(MysqlServer source, MysqlServer replica) throws Exception {
        Map<String, TableChecksum> union = TableChecksum.union(List.of(source), SCHEMAS);
        assertEquals(10, union.size());
        TableChecksum.compare(union, TableChecksum.of(replica, SCHEMAS)).assertClean();

        replica.execute(
                "UPDATE mixed.t3 SET seq = seq + 1 LIMIT 1", "DELETE FROM mixed.t4 LIMIT 1", "DROP TABLE mixed.plain");
        Report wrong = TableChecksum.compare(union, TableChecksum.of(replica, SCHEMAS));
        assertEquals(3, wrong.violations(), wrong.toString());
    }

    @Test
    void findNoViolationInTheFilesOfAServer() throws Exception {
        assertEquals(4, files.size());
        FileCheck.run(files).assertClean();
        GtidCheck.run(files).assertClean();
        RowChainCheck chains = new RowChainCheck();
        BinlogReader.ofFiles(files).forEach(chains);
        chains.report().assertClean();
        assertTrue(chains.passedOver().isEmpty());
    }

    @Test
    void aMissingOrDuplicateFileIsFound() throws Exception {
        List<Path> missing = List.of(files.get(0), files.get(2));
        assertTrue(GtidCheck.run(missing).toString().contains(" has PREVIOUS_GTIDS "));
        assertTrue(FileCheck.run(missing).toString().contains(" names "));
        List<Path> twice = List.of(files.get(0), files.get(1), files.get(1));
        assertTrue(GtidCheck.run(twice).toString().contains(" is a duplicate"));
    }

    @Test
    void aFlippedBitAnywhereAndAnIncompleteEndAreFound() throws Exception {
        byte[] good = Files.readAllBytes(files.get(1));
        Random random = new Random(3);
        for (int i = 0; i < 100; i++) {
            byte[] bad = good.clone();
            int at = 4 + random.nextInt(bad.length - 4);
            bad[at] ^= (byte) (1 << random.nextInt(8));
            assertFalse(FileCheck.run(List.of(write(bad))).isClean(), "flipped at " + at);
        }
        byte[] huge = good.clone();
        huge[4 + 9 + 3] = (byte) 0xFF; // a size of 4 GiB: no buffer of that size may be allocated
        assertTrue(FileCheck.run(List.of(write(huge))).toString().contains("event size"));
        huge[4 + 9 + 3] = 0x7E;
        assertTrue(FileCheck.run(List.of(write(huge))).toString().contains("incomplete"));
        byte[] torn = Arrays.copyOf(good, good.length - 5);
        assertTrue(FileCheck.run(List.of(write(torn))).toString().contains("incomplete"));
        assertThrows(
                BinlogDamage.class,
                () -> BinlogReader.ofFiles(List.of(write(new byte[100]))).all());
    }

    @Test
    void aWrongLogPosIsFound() throws Exception {
        byte[] good = Files.readAllBytes(files.get(1));
        byte[] shifted;
        try (BinlogFile file = BinlogFile.open(files.get(1))) {
            assertEquals(BinlogEvent.FORMAT_DESCRIPTION, file.next().type());
            int end = (int) file.offset();
            BinlogEvent previous = file.next();
            assertEquals(BinlogEvent.PREVIOUS_GTIDS, previous.type());
            int next = (int) file.offset();
            shifted = new byte[good.length - previous.size()];
            System.arraycopy(good, 0, shifted, 0, end);
            System.arraycopy(good, next, shifted, end, good.length - next);
        }
        Report report = FileCheck.run(List.of(write(shifted)));
        assertTrue(report.toString().contains("log_pos"), report.toString());
        assertTrue(report.toString().contains(", expected "), report.toString());
    }

    private static Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("damaged"), bytes);
    }
}
