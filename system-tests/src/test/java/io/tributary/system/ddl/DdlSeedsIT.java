package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of schema changes in random orders. {@code -Dseed=N} runs one seed; {@code -Dddl.seeds=50}, {@code -Dddl.races=200} and {@code
 * -Dddl.columns=50} run that many.
 */
class DdlSeedsIT {
    private static final long ORDERS = Long.getLong("ddl.seeds", 6);
    private static final long RACES = Long.getLong("ddl.races", 10);
    private static final long COLUMN_SEEDS = Long.getLong("ddl.columns", 2);
    private static final int CHANGES = 4;
    private static final int WRITERS = 4;
    private static final int MOST_TRANSACTIONS_BETWEEN = 15;

    /** %1$s is the physical table. */
    private static final List<String> PHASES = List.of(
            "CREATE TABLE %1$s (id INT PRIMARY KEY, v INT)",
            "ALTER TABLE %1$s ADD COLUMN w INT NOT NULL DEFAULT 5",
            "CREATE INDEX by_v ON %1$s (v)",
            "DROP INDEX by_v ON %1$s");

    @Test
    void eachStatementOnEightPhysicalTablesIsWrittenOnceInAnyOrderOfTables(@TempDir Path folder) throws Exception {
        try (DdlCluster cluster = DdlCluster.start(folder, 2, config -> config)) {
            cluster.onEach("CREATE DATABASE seeds");
            for (long seed : seeds(ORDERS)) {
                System.out.println("seed " + seed);
                runPhases(cluster, seed);
            }
            cluster.awaitNothingListed();
        }
    }

    private static void runPhases(DdlCluster cluster, long seed) throws Exception {
        Random random = new Random(seed);
        cluster.mark();
        for (String phase : PHASES) {
            for (int member : shuffled(8, random)) {
                String table = "seeds.of" + seed + "_" + member % 4;
                cluster.on(member / 4 + 1, String.format(Locale.ROOT, phase, table));
            }
        }
        for (int member : shuffled(8, random)) {
            cluster.on(
                    member / 4 + 1,
                    "INSERT INTO seeds.of" + seed + "_" + member % 4 + " VALUES (" + member + ", 0, 0)");
        }
        cluster.awaitReplicated();
        for (String verb : List.of("CREATE TABLE", "ADD COLUMN", "CREATE INDEX", "DROP INDEX")) {
            assertEquals(1, cluster.statements(verb).size(), () -> "seed " + seed + ": " + verb);
        }
        cluster.assertUnion("seeds");
    }

    @Test
    void theReplicaIsTheUnionWhenStatementsRaceWithWritersAndDistributedTransactions(@TempDir Path folder)
            throws Exception {
        try (DdlCluster cluster = DdlCluster.start(folder, 4, config -> config);
                RacingWriters writers = new RacingWriters(cluster.cluster().shards(), WRITERS)) {
            cluster.onEach("CREATE DATABASE race");
            for (long seed : seeds(RACES)) {
                System.out.println("seed " + seed);
                try {
                    race(cluster, writers, seed);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                }
            }
            cluster.awaitNothingListed();
        }
    }

    /** %1$s is the physical table, %2$d the number of the change. */
    private static final List<String> COLUMN_CHANGES = List.of(
            "ALTER TABLE %1$s ADD COLUMN w%2$d INT NOT NULL DEFAULT 7",
            "ALTER TABLE %1$s ADD COLUMN x%2$d VARCHAR(20) DEFAULT 'abc' FIRST",
            "ALTER TABLE %1$s ADD COLUMN y%2$d DECIMAL(8,2) NOT NULL DEFAULT '1.50' AFTER id, ADD INDEX by_y%2$d (y%2$d)",
            "ALTER TABLE %1$s MODIFY COLUMN v BIGINT",
            "ALTER TABLE %1$s ALTER COLUMN v SET DEFAULT 4",
            "ALTER TABLE %1$s CHANGE COLUMN u u INT AFTER v",
            "ALTER TABLE %1$s RENAME COLUMN u TO t, RENAME COLUMN t TO u");

    @Test
    void rowsGetTheColumnsOfTheOutputWhileColumnsChangeUnderLoadAndTheNodeIsKilled(@TempDir Path folder)
            throws Exception {
        try (DdlCluster cluster = DdlCluster.start(folder, 3, config -> config);
                RacingWriters writers = new RacingWriters(cluster.cluster().shards(), WRITERS)) {
            cluster.onEach("CREATE DATABASE rolling");
            for (long seed : seeds(COLUMN_SEEDS)) {
                System.out.println("seed " + seed);
                try {
                    runChanges(cluster, writers, seed);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                }
            }
            cluster.awaitNothingListed();
        }
    }

    /** Runs the same changes in the same order on every member; the next member is random. */
    private static void runChanges(DdlCluster cluster, RacingWriters writers, long seed) throws Exception {
        Random random = new Random(seed);
        List<List<String>> tables = new ArrayList<>();
        List<String> changes = new ArrayList<>();
        for (int number = 0; number < CHANGES; number++) {
            changes.add(COLUMN_CHANGES.get(random.nextInt(COLUMN_CHANGES.size())));
        }
        List<Integer> turns = new ArrayList<>();
        for (MysqlServer shard : cluster.cluster().shards()) {
            List<String> own = List.of("rolling.of" + seed + "_0", "rolling.of" + seed + "_1");
            for (String table : own) {
                shard.execute("CREATE TABLE " + table + " (id BIGINT PRIMARY KEY, v INT, u INT DEFAULT 3, t INT)");
                turns.addAll(Collections.nCopies(CHANGES, turns.size() / CHANGES));
            }
            tables.add(own);
        }
        Collections.shuffle(turns, random);
        int killed = random.nextInt(turns.size());
        cluster.awaitReplicated();
        writers.start(seed, tables);
        int[] done = new int[tables.size() * 2];
        for (int turn = 0; turn < turns.size(); turn++) {
            int member = turns.get(turn);
            int change = done[member]++;
            String table = tables.get(member / 2).get(member % 2);
            writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
            run(cluster.shard(member / 2 + 1), String.format(Locale.ROOT, changes.get(change), table, change));
            if (turn == killed) {
                cluster.killAndRestart();
            }
        }
        writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
        writers.stop();
        cluster.awaitReplicated();
        cluster.assertUnion("rolling");
        for (String table : tables.get(0)) {
            cluster.onEach("DROP TABLE " + table);
        }
    }

    /** The statements that each member of the table runs. */
    private enum Change {
        TRUNCATE("TRUNCATE TABLE %s"),
        DROP("DROP TABLE %s"),
        DROP_AND_CREATE("DROP TABLE %1$s;CREATE TABLE %1$s " + COLUMNS);

        private final String text;

        Change(String text) {
            this.text = text;
        }
    }

    private static final String COLUMNS = "(id BIGINT PRIMARY KEY, v INT)";

    private static void race(DdlCluster cluster, RacingWriters writers, long seed) throws Exception {
        Random random = new Random(seed);
        Change change = Change.values()[(int) (seed % Change.values().length)];
        int perShard = 1 + random.nextInt(2);
        String schema = "race.";
        List<List<String>> tables = new ArrayList<>();
        List<Runnable> statements = new ArrayList<>();
        for (MysqlServer shard : cluster.cluster().shards()) {
            List<String> raced = IntStream.range(0, perShard)
                    .mapToObj(number -> schema + "raced" + seed + "_" + number)
                    .toList();
            List<String> all = new ArrayList<>(raced);
            all.add(schema + "kept" + seed);
            for (String table : all) {
                shard.execute("CREATE TABLE IF NOT EXISTS " + table + " " + COLUMNS);
            }
            tables.add(all);
            raced.forEach(table -> statements.add(() -> run(shard, String.format(Locale.ROOT, change.text, table))));
        }
        Collections.shuffle(statements, random);
        cluster.awaitReplicated();
        cluster.mark();

        writers.start(seed, tables);
        for (Runnable statement : statements) {
            writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
            statement.run();
        }
        writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
        writers.stop();
        cluster.awaitReplicated();
        String verb = change == Change.TRUNCATE ? "TRUNCATE" : "DROP TABLE";
        assertEquals(1, cluster.statements(verb).size(), () -> verb + " of " + perShard + " tables a shard");
        cluster.assertUnion("race");
        cluster.onEach("DROP TABLE race.kept" + seed);
        if (change != Change.DROP) {
            for (int number = 0; number < perShard; number++) {
                cluster.onEach("DROP TABLE race.raced" + seed + "_" + number);
            }
        }
    }

    private static void run(MysqlServer shard, String statement) {
        try (Sql sql = shard.sql()) {
            sql.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(shard.name() + ": " + statement + ": " + e.getMessage(), e);
        }
    }

    private static List<Integer> shuffled(int count, Random random) {
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, count).boxed().toList());
        Collections.shuffle(numbers, random);
        return numbers;
    }

    private static List<Long> seeds(long count) {
        Long one = Long.getLong("seed");
        return one != null
                ? List.of(one)
                : LongStream.rangeClosed(1, count).boxed().toList();
    }
}
