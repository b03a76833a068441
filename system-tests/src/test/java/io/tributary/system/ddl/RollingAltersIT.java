package io.tributary.system.ddl;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * ALTER TABLE that changes columns, run on one shard after another while all shards write: nothing is held, the replica never stops, and in the end
 * it has the rows and the definition of the shards.
 */
class RollingAltersIT {
    private static final int SHARDS = 3;
    private static final String COLUMNS =
            "(id INT PRIMARY KEY, a INT NOT NULL DEFAULT 5, b VARCHAR(20), c VARCHAR(200), d DECIMAL(8,2), e ENUM('x','y'),"
                    + " f DATETIME, g BIGINT, h CHAR(8) CHARACTER SET latin1, i INT)";

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number ->
            DdlCluster.start(folder.resolve("cluster-" + number), SHARDS, config -> config.set("ddl.warn", "300ms")));

    /** An ALTER of a table with {@link #COLUMNS}. */
    record Kind(String name, String alter) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("add_last", "ADD COLUMN z INT"),
                new Kind("add_first", "ADD COLUMN z VARCHAR(10) DEFAULT 'it''s' FIRST"),
                new Kind("add_after", "ADD COLUMN z DECIMAL(6,3) NOT NULL DEFAULT 1.5 AFTER b"),
                new Kind(
                        "add_instant", "ADD COLUMN z DATETIME(3) DEFAULT '2024-02-29 12:00:00.125', ALGORITHM=INSTANT"),
                new Kind("add_not_null", "ADD COLUMN z INT NOT NULL DEFAULT 7, ADD COLUMN y ENUM('p','q') NOT NULL"),
                new Kind("drop_last", "DROP COLUMN i"),
                new Kind("drop_middle", "DROP COLUMN c"),
                new Kind("widen", "MODIFY COLUMN a BIGINT NOT NULL DEFAULT 5"),
                new Kind("longer", "MODIFY COLUMN c VARCHAR(300)"),
                new Kind("charset_modify", "MODIFY COLUMN h CHAR(8) CHARACTER SET utf8mb4"),
                new Kind("charset_convert", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"),
                new Kind("narrow", "MODIFY COLUMN g INT"),
                new Kind("rename", "RENAME COLUMN b TO bb"),
                new Kind("change", "CHANGE COLUMN b bb VARCHAR(40) AFTER d"),
                new Kind("swap", "RENAME COLUMN a TO i, RENAME COLUMN i TO a"),
                new Kind("reorder", "MODIFY COLUMN d DECIMAL(8,2) FIRST"),
                new Kind("enum_append", "MODIFY COLUMN e ENUM('x','y','z')"),
                new Kind("enum_front", "MODIFY COLUMN e ENUM('w','x','y')"),
                new Kind("more_digits", "MODIFY COLUMN d DECIMAL(12,4), MODIFY COLUMN f DATETIME(6)"),
                new Kind("index", "ADD INDEX k (b), ADD COLUMN z INT"),
                new Kind("unique", "ADD COLUMN z INT, ADD UNIQUE KEY u (g)"),
                new Kind("engine", "ENGINE=InnoDB, COMMENT='new'"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void rowsOfShardsThatHaveNotHadItGoOutInTheNewColumns(Kind kind) throws Exception {
        String schema = "k_" + kind.name();
        String table = schema + ".t";
        cluster().onEach("CREATE DATABASE " + schema, "CREATE TABLE " + table + " " + COLUMNS);
        write(table, 0);
        cluster().settle();
        List<Integer> left = new ArrayList<>(List.of(1, 2, 3));
        while (!left.isEmpty()) {
            int shard = left.remove(0);
            cluster().on(shard, "ALTER TABLE " + table + " " + kind.alter());
            for (int other = 1; other <= SHARDS; other++) {
                write(table, other, shard);
            }
            awaitRows(schema);
        }
        cluster().settle();
        cluster().awaitNothingListed();
        cluster().assertUnion(schema);
        cluster().assertShapesInForce();
        cluster().assertSameDefinition(schema, "t");
        if (!kind.name().equals("unique")) { // which is cut in two
            cluster().assertOnce(("ALTER TABLE " + table + " ").toUpperCase(Locale.ROOT));
        }
    }

    /** Whatever is behind, what has been written after this shard's ALTER reaches the replica: nothing is held. */
    private static void awaitRows(String schema) throws SQLException {
        long expected = 0;
        for (int shard = 1; shard <= SHARDS; shard++) {
            expected += Long.parseLong(cluster().shard(shard).text("SELECT COUNT(*) FROM " + schema + ".t"));
        }
        cluster().awaitReplica(Long.toString(expected), "SELECT COUNT(*) FROM " + schema + ".t");
    }

    private static void write(String table, int step) throws SQLException {
        for (int shard = 1; shard <= SHARDS; shard++) {
            write(table, shard, step);
        }
    }

    /** Inserts, updates and deletes that work with the old and the new columns. */
    private static void write(String table, int shard, int step) throws SQLException {
        int id = 1000 * shard + 10 * step;
        cluster()
                .on(
                        shard,
                        "INSERT INTO " + table + " (id, d, e, f, g) VALUES (" + id
                                + ", 12.25, 'x', '2024-01-02 03:04:05', " + id
                                + "), (" + (id + 1) + ", -3.5, 'y', NULL, NULL), (" + (id + 2) + ", NULL, NULL, NOW(), "
                                + (id + 2) + ")",
                        "UPDATE " + table + " SET d = d + 1, g = g + 1 WHERE id = " + (id + 2),
                        "DELETE FROM " + table + " WHERE id = " + (id + 1));
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
