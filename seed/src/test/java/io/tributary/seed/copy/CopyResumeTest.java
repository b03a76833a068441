package io.tributary.seed.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.seed.table.LogicalTable;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies that are ended in the middle, and copies of tables without a key. */
class CopyResumeTest {
    private static final int ROWS = 60_000;
    private static CopyRig rig;

    @BeforeAll
    static void start() {
        rig = new CopyRig();
    }

    @AfterAll
    static void end() {
        rig.close();
    }

    @BeforeEach
    void newDatabase() throws SQLException {
        rig.newDatabase("d");
    }

    private static LogicalTable rows(String key) throws SQLException {
        rig.shard.execute(
                "SET SESSION cte_max_recursion_depth = 1000000; CREATE TABLE d.r (id INT " + key
                        + ", u INT, v VARCHAR(1000))",
                "INSERT INTO d.r WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + ROWS
                        + ") SELECT i, i, REPEAT('v', i % 1000) FROM n",
                "ANALYZE TABLE d.r");
        return rig.table(new TableName("d", "r"));
    }

    @Test
    void aLaterSeedEndsTheCopy() throws SQLException {
        LogicalTable table = rows("PRIMARY KEY");
        AtomicLong statements = new AtomicLong();
        CopyListener beginsAnother = new CopyListener() {
            @Override
            public void copied(TableName name, long more, long bytes) {
                if (statements.incrementAndGet() == 3) {
                    rig.writers();
                }
            }
        };
        Copy copy = rig.copy(new CopyConfig(2, 2, 0, 0, 8192));
        assertThrows(TributaryException.class, () -> copy.copy(List.of(table), beginsAnother));
        long rows = Long.parseLong(rig.target.text("SELECT COUNT(*) FROM d.r"));
        assertEquals(rows + "", rig.target.text("SELECT COALESCE(SUM(copied_rows), 0) FROM tributary_seed.chunks"));
        assertTrue(rows < ROWS, rows + " rows");
        assertThrows(TributaryException.class, () -> copy.copy(List.of(table), CopyListener.NONE));
        assertEquals(rows + "", rig.target.text("SELECT COUNT(*) FROM d.r"));
        rig.copy(CopyConfig.of(2)).copy(List.of(table), CopyListener.NONE);
        rig.assertSame(table);
    }

    /** Counts rows, and ends the copy at a certain one. */
    private static final class Counter implements CopyListener {
        private final AtomicLong rows = new AtomicLong();

        @Override
        public void copied(TableName table, long more, long bytes) {
            rows.addAndGet(more);
        }
    }

    @Test
    void aKilledCopyResumesWhereItWas() throws Exception {
        LogicalTable table = rows("PRIMARY KEY");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ExecutorService caller = Executors.newSingleThreadExecutor();
        long before = 0;
        for (int round = 0; round < 8; round++) {
            Counter counter = new Counter();
            Copy copy = rig.copy(new CopyConfig(2, 2, 4_000_000, 0, 8192));
            Future<?> running = caller.submit(() -> copy.copy(List.of(table), counter));
            long goal = before + random.nextInt(2000);
            Await.until(
                    "rows of round " + round + ", seed " + seed,
                    Duration.ofSeconds(30),
                    () -> counter.rows.get() >= goal || running.isDone());
            boolean isOnItsWay = before > ROWS / 3; // the rest may have left the shard already
            switch (isOnItsWay ? 1 + random.nextInt(2) : random.nextInt(3)) {
                case 0 -> killAll(rig.shard);
                case 1 -> killAll(rig.target);
                default -> running.cancel(true);
            }
            Throwable failed = assertThrows(Exception.class, running::get);
            assertTrue(
                    failed instanceof CancellationException
                            || failed instanceof ExecutionException && failed.getCause() instanceof TributaryException,
                    failed.toString());
            Await.until("the end of the workers", Duration.ofSeconds(30), CopyResumeTest::isIdle);
            long copied =
                    Long.parseLong(rig.target.text("SELECT COALESCE(SUM(copied_rows), 0) FROM tributary_seed.chunks"));
            assertEquals(copied, Long.parseLong(rig.target.text("SELECT COUNT(*) FROM d.r")), "seed " + seed);
            assertTrue(copied >= before && copied < ROWS, copied + ", seed " + seed);
            before = copied;
        }
        caller.shutdown();
        Counter counter = new Counter();
        rig.copy(CopyConfig.of(2)).copy(List.of(table), counter);
        assertEquals(ROWS, counter.rows.get());
        rig.assertSame(table);
    }

    private static void killAll(MysqlServer server) throws SQLException {
        try (Sql sql = server.sql()) {
            for (Map<String, String> session :
                    sql.rows("SELECT id FROM information_schema.processlist WHERE user = 'root'"
                            + " AND id <> CONNECTION_ID()")) {
                try {
                    sql.execute("KILL " + session.get("id"));
                } catch (SQLException e) {
                    assertEquals(1094, e.getErrorCode()); // it has ended
                }
            }
        }
    }

    private static boolean isIdle() {
        try {
            return rig.target
                    .text("SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'root'")
                    .equals("1");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTableIsDividedAndCanBeCopiedAgain() throws SQLException {
        LogicalTable table = rows("PRIMARY KEY");
        MemberPlan large = new MemberPlan(1_000_000, 1 << 20, 100);
        try (var shard = CopySessions.shard(rig.client, rig.shardPeer(), "READ COMMITTED")) {
            List<KeyBounds> parts =
                    large.parts(shard, CopyPlan.of(table), table.members().get(0));
            assertEquals(4, parts.size());
            assertEquals(new KeyBounds(0, "", "15000"), parts.get(0));
            assertEquals(new KeyBounds(3, "45000", ""), parts.get(3));
        }
        Copy copy = rig.copy(CopyConfig.of(2));
        copy.copy(List.of(table), CopyListener.NONE);
        rig.target.execute("TRUNCATE TABLE d.r");
        copy.copy(List.of(table), CopyListener.NONE);
        assertEquals("0", rig.target.text("SELECT COUNT(*) FROM d.r"));
        copy.forget(table.name());
        copy.copy(List.of(table), CopyListener.NONE);
        rig.assertSame(table);
    }

    @Test
    void aTableWithoutAKeyIsOfOneMoment() throws SQLException {
        LogicalTable table = rows("");
        String target = rig.target.gtidExecuted();
        Copy copy = rig.copy(CopyConfig.of(1));
        String checksum;
        try (SnapshotCopy keyless = SnapshotCopy.lock(rig.client, List.of(table));
                Sql writer = rig.shard.sql()) {
            assertEquals(Map.of("s1", GtidSet.parse(rig.shard.gtidExecuted())), keyless.executed());
            checksum = rig.shard.text("SELECT SUM(id) FROM d.r");
            writer.execute("SET SESSION lock_wait_timeout = 1");
            assertThrows(SQLException.class, () -> writer.execute("INSERT INTO d.r VALUES (-5, 0, '')"));
            keyless.unlock();
            writer.execute("INSERT INTO d.r VALUES (-5, 0, '')", "DELETE FROM d.r WHERE id < 1000");
            rig.target.execute("INSERT INTO d.r VALUES (1, 1, 'left from before')");
            target = rig.target.gtidExecuted();
            keyless.copy(copy, CopyListener.NONE);
        }
        assertEquals(ROWS + "", rig.target.text("SELECT COUNT(*) FROM d.r"));
        assertEquals(checksum, rig.target.text("SELECT SUM(id) FROM d.r"));
        assertEquals(target, rig.target.gtidExecuted());
    }

    @Test
    void locksEndIfTheProcessDoesNotRunAnyMore() throws SQLException {
        LogicalTable table = rows("");
        try (SnapshotCopy keyless = SnapshotCopy.lock(rig.client, List.of(table), Duration.ofSeconds(2));
                Sql writer = rig.shard.sql()) {
            writer.execute("SET SESSION lock_wait_timeout = 30", "INSERT INTO d.r VALUES (-5, 0, '')");
            TributaryException lost = assertThrows(TributaryException.class, keyless::unlock);
            assertEquals(ErrorCode.SHARD_UNREACHABLE, lost.code());
            assertTrue(lost.getMessage().contains("expected READ locks until the stream contains"), lost.getMessage());
        }
    }

    @Test
    void theRateIsLimited() throws SQLException {
        LogicalTable table = rows("PRIMARY KEY");
        long start = System.nanoTime();
        rig.copy(new CopyConfig(2, 1, 20_000_000, 50, 8192)).copy(List.of(table), CopyListener.NONE);
        assertTrue(System.nanoTime() - start > 1_400_000_000L);
        rig.assertSame(table);
    }
}
