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
 * Schema changes in random orders. {@code -Dseed=N} runs one seed; {@code -Dddl.seeds=50} and {@code -Dddl.races=200} run that many.
 */
class DdlSeedsIT {
    private static final long ORDERS = Long.getLong("ddl.seeds", 6);
    private static final long RACES = Long.getLong("ddl.races", 10);
    private static final int WRITERS = 4;
    private static final int MOST_TRANSACTIONS_BETWEEN = 15;

    /** %1$s is the physical table. */
    private static final List<String> PHASES = List.of(
            "CREATE TABLE %1$s (id INT PRIMARY KEY, v INT)",
            "ALTER TABLE %1$s ADD COLUMN w INT NOT NULL DEFAULT 5",
            "CREATE INDEX by_v ON %1$s (v)",
            "DROP INDEX by_v ON %1$s");

    @Test
    void eachStatementOnEightPhysicalTablesGoesOutOnceInWhateverOrderTheyHaveIt(@TempDir Path folder) throws Exception {
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
        cluster.settle();
        for (String verb : List.of("CREATE TABLE", "ADD COLUMN", "CREATE INDEX", "DROP INDEX")) {
            assertEquals(1, cluster.statements(verb).size(), () -> "seed " + seed + ": " + verb);
        }
        cluster.assertUnion("seeds");
    }

    @Test
    void theReplicaIsTheUnionThoughStatementsRaceWritersAndDistributedTransactions(@TempDir Path folder)
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

    /** What each member of the raced table runs. */
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
        cluster.settle();
        cluster.mark();

        writers.start(seed, tables);
        for (Runnable statement : statements) {
            writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
            statement.run();
        }
        writers.awaitMore(random.nextInt(MOST_TRANSACTIONS_BETWEEN));
        writers.stop();
        cluster.settle();
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
