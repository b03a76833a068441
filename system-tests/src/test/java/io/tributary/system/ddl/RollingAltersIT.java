package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of ALTER TABLE on one shard after another while local and distributed transactions write all shards: the node and the replica never stop,
 * and in the end the replica has the rows and the definition of the shards. {@code -Dddl.pause=60} waits 60 seconds between the shards;
 * {@code -Dddl.kind=part_.*} runs only kinds with matching names.
 */
class RollingAltersIT {
    private static final int SHARDS = 3;
    private static final int WRITERS = 2;
    private static final int ROWS = 5;
    private static final long BETWEEN = 8;
    private static final Duration PAUSE = Duration.ofSeconds(Long.getLong("ddl.pause", 0));

    private static final String ONLY = System.getProperty("ddl.kind", ".*");

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number ->
            DdlCluster.start(folder.resolve("cluster-" + number), SHARDS, config -> config.set("ddl.warn", "300ms")));

    /** Statements with only the columns that no kind of ALTER removes. */
    private static final RacingWriters.Statements STATEMENTS = new RacingWriters.Statements() {
        @Override
        public String insert(String table, long id) {
            String values =
                    id % 5 == 0 ? "NULL, NULL, NULL, NULL, NULL" : "12.25, 'x', '2024-01-02 03:04:05', " + id + ", 'é'";
            return "INSERT INTO " + table + " (id, p, d, e, f, g, h) VALUES (" + id + ", " + parent(id) + ", " + values
                    + ")";
        }

        @Override
        public String update(String table, long id) {
            return "UPDATE " + table + " SET d = d + 1, g = -g, e = 'y' WHERE id = " + id;
        }
    };

    /** The number of the shard of a key: the keys of a shard have the same remainder. */
    private static long parent(long id) {
        return id % SHARDS + 1;
    }

    static List<AlterKind> kinds() {
        return AlterKind.all().stream()
                .filter(kind -> kind.name().matches(ONLY))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void rowsOfShardsThatHaveNotRunItAreWrittenInTheNewColumns(AlterKind kind) throws Exception {
        String table = kind.schema() + ".t";
        try (RacingWriters writers = new RacingWriters(cluster().cluster().shards(), WRITERS, STATEMENTS)) {
            create(kind, writers);
            writers.start(1, List.of(List.of(table), List.of(table), List.of(table)));
            pause(writers);
            if (kind.rows() == AlterKind.Rows.NONE) {
                writers.stop();
                cluster().awaitReplicated();
            }
            for (int shard = 1; shard <= SHARDS; shard++) {
                cluster().on(shard, kind.alter());
                if (kind.rows() != AlterKind.Rows.NONE) {
                    pause(writers);
                }
                if (kind.rows() == AlterKind.Rows.WRITTEN) {
                    cluster().awaitReplicated(); // nothing is held, even if some shards have not run the statement
                }
            }
            if (kind.rows() == AlterKind.Rows.NONE) {
                writers.resume();
                pause(writers);
            }
            writers.stop();
        }
        cluster().awaitReplicated();
        cluster().awaitNothingPending();
        cluster().assertUnion(kind.schema());
        cluster().assertShapesInForce();
        cluster().assertSameDefinition(kind.schema(), "t");
        cluster().assertSameText(table);
        assertEquals(
                kind.statements(),
                cluster()
                        .statements(("ALTER TABLE " + table + " ").toUpperCase(Locale.ROOT))
                        .size());
    }

    /** Creates the table on all shards, with rows in all columns that the writers change. */
    private static void create(AlterKind kind, RacingWriters writers) throws Exception {
        String table = kind.schema() + ".t";
        cluster().onEach("CREATE DATABASE " + kind.schema(), "CREATE TABLE " + table + " " + kind.create());
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster().on(shard, kind.setup(shard));
            cluster()
                    .on(
                            shard,
                            writers.rowsBefore(shard - 1, ROWS).stream()
                                    .map(id -> row(table, id))
                                    .toArray(String[]::new));
        }
        cluster().awaitReplicated();
        cluster().mark();
    }

    private static String row(String table, long id) {
        return "INSERT INTO " + table + " (id, a, b, c, d, e, f, g, h, i, p) VALUES (" + id + ", 7, 'bü', REPEAT('c', "
                + id % 200 + "), -3.5, 'y', NOW(), " + id + ", 'ÄÖ', 9, " + parent(id) + ")";
    }

    private static void pause(RacingWriters writers) {
        writers.awaitMore(BETWEEN);
        long end = Clock.SYSTEM.nanoTime() + PAUSE.toNanos();
        Await.until("the pause", PAUSE.plus(DdlCluster.LIMIT), () -> Clock.SYSTEM.nanoTime() - end >= 0);
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
