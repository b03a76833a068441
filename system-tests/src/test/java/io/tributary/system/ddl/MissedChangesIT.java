package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a table of one shard that is changed without a statement in its binlog, for example with {@code sql_log_bin = 0} or by a failover to a
 * replica that was altered before. The table maps show the change: the definition is read from the shard, and its rows are written in the columns of
 * the output, when the output has all of them: columns that no shard logs are added first.
 */
class MissedChangesIT {
    private static final int SHARDS = 2;
    private static final int WRITERS = 2;
    private static final long BETWEEN = 20;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number ->
            DdlCluster.start(folder.resolve("cluster-" + number), SHARDS, config -> config.set("ddl.warn", "300ms")));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MODIFY COLUMN u BIGINT",
                "DROP COLUMN s",
                "MODIFY COLUMN v INT AFTER u",
                "ADD COLUMN n INT NOT NULL DEFAULT 5 AFTER v"
            })
    void rowsUnderLoadAreWrittenInTheColumnsOfTheOutput(String alter) throws Exception {
        String schema = "missed" + (alter.hashCode() & 0xfff);
        String table = create(schema);
        try (RacingWriters writers = new RacingWriters(cluster().cluster().shards(), WRITERS)) {
            writers.start(1, List.of(List.of(table), List.of(table)));
            writers.awaitMore(BETWEEN);
            cluster().on(1, "SET SESSION sql_log_bin = 0", "ALTER TABLE " + table + " " + alter);
            writers.awaitMore(BETWEEN);
            cluster().awaitReplicated();
            cluster().on(2, "ALTER TABLE " + table + " " + alter);
            writers.awaitMore(BETWEEN);
            writers.stop();
        }
        assertEndsEqual(schema);
    }

    /** No shard logs the change: the statement that adds the column is generated before the first rows with it. */
    @Test
    void aColumnThatNoShardLogsIsAddedUnderLoad() throws Exception {
        String schema = "silent";
        String table = create(schema);
        try (RacingWriters writers = new RacingWriters(cluster().cluster().shards(), WRITERS)) {
            writers.start(2, List.of(List.of(table), List.of(table)));
            for (int shard = 1; shard <= SHARDS; shard++) {
                writers.awaitMore(BETWEEN);
                cluster()
                        .on(
                                shard,
                                "SET SESSION sql_log_bin = 0",
                                "ALTER TABLE " + table
                                        + " ADD COLUMN a VARCHAR(20) NOT NULL DEFAULT 'ö' FIRST, ADD COLUMN b INT AFTER v");
                cluster().on(shard, "INSERT INTO " + table + " (id, a, b) VALUES (" + (5000 + shard) + ", 'é', 1)");
            }
            writers.awaitMore(BETWEEN);
            writers.stop();
        }
        assertEndsEqual(schema);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ADD COLUMN n INT NOT NULL DEFAULT 5 FIRST",
                "MODIFY COLUMN u BIGINT",
                "CHANGE COLUMN s r VARCHAR(300) DEFAULT 'ä'"
            })
    void theFirstRowsAfterARestartAreNotTreatedAsRowsOfTheOutput(String alter) throws Exception {
        String schema = "restarted" + (alter.hashCode() & 0xfff);
        String table = create(schema);
        cluster().on(1, "SET SESSION sql_log_bin = 0", "ALTER TABLE " + table + " " + alter);
        cluster().killAndRestart();
        cluster().on(1, "INSERT INTO " + table + " (id, v, u) VALUES (1001, 1, 7)");
        cluster().on(2, "INSERT INTO " + table + " (id, v, u) VALUES (1002, 1, 7)");
        if (alter.startsWith(
                "CHANGE")) { // it is not known yet whether it is a new or a renamed column, and no value may be lost
            cluster().awaitHeld("s1", "SCHEMA_MIXED");
        } else {
            cluster().awaitReplicated();
        }
        cluster().on(2, "ALTER TABLE " + table + " " + alter);
        cluster().on(1, "UPDATE " + table + " SET v = 2 WHERE id = 1001");
        assertEndsEqual(schema);
    }

    private static String create(String schema) throws Exception {
        String table = schema + ".t";
        cluster()
                .onEach(
                        "CREATE DATABASE " + schema,
                        "CREATE TABLE " + table
                                + " (id INT PRIMARY KEY, v INT, s VARCHAR(10) DEFAULT 'ä', u INT DEFAULT 4)");
        cluster().awaitReplicated();
        return table;
    }

    private static void assertEndsEqual(String schema) throws Exception {
        cluster().awaitReplicated();
        assertFalse(
                cluster().listed().stream().anyMatch(each -> each.state().equals("held")),
                () -> cluster().listed() + "");
        cluster().assertUnion(schema);
        cluster().assertSameDefinition(schema, "t");
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
