package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.store.DirectoryObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several Dumpers with the same files and one backup. */
class BackupTurnTest {
    private static final String CLUSTER = "11111111-2222-3333-4444-555555555555";

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();

    @BeforeEach
    void makeStore() throws IOException {
        Files.createDirectory(folder.resolve("store"));
    }

    /** A Dumper; all have the same files. */
    private final class Node implements AutoCloseable {
        private final LocalFiles local;
        private final Metrics metrics = new Metrics();
        private final BackupState known;
        private final DirectoryObjectStore store;
        private boolean isOurs;
        private BackupStage stage;
        private Metrics own;

        Node(String name) {
            local = new LocalFiles(folder.resolve(name), 7);
            known = new BackupState(folder.resolve(name));
            store = new DirectoryObjectStore(folder.resolve("store"));
            begin();
        }

        void begin() {
            own = metrics.child();
            stage = new BackupStage(
                    new BackupSource(local, CLUSTER, known),
                    BackupTarget.of(store, () -> new BackupConfigs().config()),
                    () -> isOurs,
                    own,
                    clock);
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                stage.doWork();
            }
        }

        int named() {
            return known.manifest().map(manifest -> manifest.files().size()).orElse(0);
        }

        @Override
        public void close() {
            stage.close();
            own.close();
        }
    }

    private void assertRestores(Node node) throws IOException {
        Path target = folder.resolve("restored");
        Backup backup = new Backup(node.store, "tributary", CLUSTER, BackupKeys.NONE);
        assertEquals(node.local.names(), Restore.run(backup, target, Progress.NONE));
        for (FinishedFile file : node.local.files) {
            assertEquals(-1, Files.mismatch(file.path(), target.resolve(file.name())));
        }
    }

    @Test
    void aNodeOnlyPollsDuringAnotherNodesTurnAndThenContinuesAfterIt() throws IOException {
        try (Node a = new Node("a");
                Node b = new Node("b")) {
            for (int i = 0; i < 3; i++) {
                a.local.add(9_000_000);
                b.local.add(9_000_000);
            }
            a.isOurs = true;
            a.steps(3 + 3 + 1); // the first file, and the start of the second one
            b.steps(5);
            assertEquals(1, a.named());
            assertEquals(1, b.named());
            assertEquals(2, b.local.needed, "the second and the third may not be purged");
            a.steps(2 + 3);
            b.steps(5);
            assertEquals(2, a.named());
            assertEquals(1, b.named(), "it polls at intervals only");
            clock.pass(Duration.ofSeconds(5));
            b.steps(1);
            assertEquals(2, b.named());
            a.steps(4); // half of the third
            a.isOurs = false;
            b.isOurs = true;
            a.steps(1);
            b.steps(20);
            assertEquals(3, b.named());
            assertEquals(0, Counters.value(b.metrics, Metric.BACKUP_FAILURES));
            clock.pass(Duration.ofSeconds(5));
            a.steps(1);
            assertEquals(3, a.named());
            assertEquals(4, a.local.needed);
            assertRestores(a);
        }
    }

    /** The nodes act in any order and stop in the middle: the files in the manifest exist. */
    @Test
    void nodesThatAllBackUpAtTheSameTimeDoNotDamageTheBackup() throws IOException {
        long seed = Long.getLong("seed", 20_261_122L);
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            nodes.add(new Node(name));
            nodes.get(nodes.size() - 1).isOurs = true;
        }
        int files = 0;
        for (int round = 0; round < 400; round++) {
            if (files < 12 && random.nextInt(20) == 0) {
                for (Node node : nodes) {
                    node.local.add(files % 3 == 0 ? 9_000_000 : 3000);
                }
                files++;
            }
            Node node = nodes.get(random.nextInt(nodes.size()));
            node.steps(1 + random.nextInt(4));
            clock.pass(Duration.ofMillis(random.nextInt(4000)));
            if (random.nextInt(15) == 0) {
                node.close();
                node.begin();
            }
        }
        for (int round = 0; round < 30; round++) {
            nodes.forEach(node -> node.steps(100));
            clock.pass(Duration.ofMinutes(1));
        }
        assertTrue(files > 3, "seed " + seed);
        assertRestores(nodes.get(0));
        nodes.forEach(Node::close);
    }

    @Test
    void aBackupWithAGapIsNotCreated() throws IOException {
        try (Node a = new Node("a")) {
            a.isOurs = true;
            a.local.add(100);
            a.local.add(100);
            a.local.add(100);
            List<FinishedFile> all = List.copyOf(a.local.files);
            a.local.files.retainAll(all.subList(0, 1));
            a.steps(10);
            a.local.files.clear();
            a.local.files.add(all.get(2)); // the second one is lost
            a.local.listeners.forEach(Runnable::run);
            a.steps(10);
            assertEquals(1, a.named());
            assertEquals(1, Counters.value(a.metrics, Metric.BACKUP_FAILURES));
            TributaryException failure = assertThrows(
                    TributaryException.class,
                    () -> new MissingFileCheck(a.store, "")
                            .requireNoGap(a.known.manifest().orElseThrow(), all.get(2)));
            assertEquals(ErrorCode.BACKUP_CONFLICT, failure.code());
            assertTrue(
                    failure.getMessage().contains("expected transaction 20 after binlog.000001"), failure::getMessage);
        }
    }
}
