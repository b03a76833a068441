package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of rules and decisions for statements: columns without constant defaults, archives, and replaced texts. */
class DdlRulesIT {
    private static final int SHARDS = 2;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number -> DdlCluster.start(
            folder.resolve("cluster-" + number),
            SHARDS,
            config -> config.set("ddl.warn", "300ms")
                    .set("table.map.archive.from", "archive\\.([^.]+)_\\d+")
                    .set("table.map.archive.to", "archive.$1")
                    .set("table.map.archive.ddl.drop", "ignore")
                    .set("table.map.archive.ddl.truncate", "ignore")));

    @Test
    void rowsOfMembersThatLagGetTheTimeOfTheWrittenStatement() throws Exception {
        cluster().onEach("CREATE DATABASE approx", "CREATE TABLE approx.t (id INT PRIMARY KEY, n INT)");
        cluster().on(1, "INSERT INTO approx.t VALUES (1, 0), (2, 0)");
        cluster().on(2, "INSERT INTO approx.t VALUES (11, 0), (12, 0)");
        cluster().awaitReplicated();
        String alter = "ALTER TABLE approx.t ADD COLUMN at TIMESTAMP(3) NULL DEFAULT CURRENT_TIMESTAMP(3),"
                + " ADD COLUMN d DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) FIRST, ADD COLUMN day DATE DEFAULT (CURRENT_DATE),"
                + " ADD COLUMN j JSON DEFAULT (json_object()), ADD COLUMN x TEXT DEFAULT ('some')";
        cluster().on(1, "SET time_zone = '+03:00'", alter);
        cluster()
                .on(
                        2,
                        "INSERT INTO approx.t VALUES (13, 0)",
                        "UPDATE approx.t SET n = 1 WHERE id = 11",
                        "DELETE FROM approx.t WHERE id = 12");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM approx.t WHERE id = 13");
        cluster().awaitReplica("0", "SELECT COUNT(*) FROM approx.t WHERE id = 12");
        assertEquals(
                "1",
                cluster()
                        .replica()
                        .server()
                        .text("SELECT COUNT(DISTINCT at, d, day, CAST(j AS CHAR), x) FROM approx.t"));
        assertTrue(
                cluster().listed().stream().anyMatch(each -> each.message().contains("approximate: each shard fills")),
                () -> cluster().listed().toString());
        cluster().killAndRestart();
        cluster().on(2, "INSERT INTO approx.t VALUES (14, 0)");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM approx.t WHERE id = 14");
        assertEquals(
                "1",
                cluster()
                        .replica()
                        .server()
                        .text("SELECT COUNT(DISTINCT at, d, day, CAST(j AS CHAR), x) FROM approx.t"));
        cluster().on(2, alter, "UPDATE approx.t SET n = 2 WHERE id = 11");
        cluster().awaitReplicated();
        cluster().awaitNothingListed();
        cluster().assertOnce("ALTER TABLE APPROX.T");
        cluster().assertSameDefinition("approx", "t");
        assertEquals(
                1,
                cluster()
                        .node()
                        .logText()
                        .lines()
                        .filter(line -> line.contains("ddl approximate"))
                        .count());
    }

    /** MySQL itself refuses defaults that no replica can compute. */
    @Test
    void theServerRefusesDefaultsThatNoReplicaCanCompute() throws Exception {
        cluster().onEach("CREATE DATABASE random", "CREATE TABLE random.t (id INT PRIMARY KEY)");
        for (String expression : List.of("uuid()", "rand()")) {
            SQLException refused = assertThrows(
                    SQLException.class,
                    () -> cluster()
                            .on(1, "ALTER TABLE random.t ADD COLUMN u VARCHAR(40) DEFAULT (" + expression + ")"));
            assertEquals(1674, refused.getErrorCode(), refused.getMessage());
        }
    }

    @Test
    void anotherStatementIsWrittenInPlaceOfOneThatCannotBe() throws Exception {
        cluster().onEach("CREATE DATABASE other", "CREATE TABLE other.t (id INT PRIMARY KEY, a INT, b INT)");
        cluster().on(1, "INSERT INTO other.t VALUES (1, NULL, 1)", "ALTER TABLE other.t DROP COLUMN a");
        cluster().awaitWritten(cluster().shard(1));
        cluster().on(2, "INSERT INTO other.t VALUES (11, NULL, 1)", "ALTER TABLE other.t MODIFY COLUMN a BIGINT");
        cluster().on(2, "INSERT INTO other.t VALUES (12, 5000000000, 1)");
        DdlStatement held = cluster().awaitHeld("s2", "DDL_CONFLICT");
        String text = "ALTER TABLE `other`.`t` ADD COLUMN `a` bigint NULL DEFAULT NULL AFTER `id`";
        assertTrue(
                held.commands().contains("tributary ddl text " + held.id() + " --text '" + text + "' -c FILE"),
                held.commands().toString());
        cluster()
                .commands()
                .assertRefused(
                        List.of("TYPE of a"),
                        "ddl",
                        "text",
                        held.id(),
                        "--text",
                        "ALTER TABLE other.t ADD COLUMN a INT");
        cluster().commands().assertDone("ddl", "text", held.id(), "--text", text);
        cluster().awaitReplica("5000000000", "SELECT a FROM other.t WHERE id = 12");
        cluster().killAndRestart();
        cluster().on(1, "INSERT INTO other.t VALUES (2, 2)", "ALTER TABLE other.t ADD COLUMN a BIGINT AFTER id");
        cluster().on(1, "INSERT INTO other.t VALUES (3, 3, 3)");
        cluster().awaitReplicated();
        cluster().awaitReplica("5", "SELECT COUNT(*) FROM other.t");
        cluster().assertUnion("other");
        cluster().assertSameDefinition("other", "t");
        cluster().assertOnce("ADD COLUMN A BIGINT");
    }

    @Test
    void dropsAndTruncatesOfMembersOfAnArchiveAreNotWritten() throws Exception {
        cluster().onEach("CREATE DATABASE archive");
        for (int shard = 1; shard <= SHARDS; shard++) {
            for (int month = 1; month <= 2; month++) {
                String table = "archive.log_" + month;
                cluster()
                        .on(
                                shard,
                                "CREATE TABLE " + table + " (id INT PRIMARY KEY)",
                                "INSERT INTO " + table + " VALUES (" + (10 * shard + month) + ")");
            }
        }
        cluster().on(1, "DROP TABLE archive.log_1", "TRUNCATE archive.log_2", "INSERT INTO archive.log_2 VALUES (100)");
        cluster().awaitReplicated();
        cluster().awaitReplica("5", "SELECT COUNT(*) FROM archive.log");
        cluster().assertNone("DROP TABLE");
        cluster().assertNone("TRUNCATE");
        cluster().on(1, "DROP TABLE archive.log_2");
        cluster().on(2, "DROP TABLE archive.log_1, archive.log_2", "CREATE TABLE archive.log_3 (id INT PRIMARY KEY)");
        cluster().killAndRestart();
        cluster().on(2, "INSERT INTO archive.log_3 VALUES (300)");
        cluster().awaitReplicated();
        cluster().awaitReplica("6", "SELECT COUNT(*) FROM archive.log");
        cluster().awaitNothingListed();
    }

    @Test
    void generatedPrimaryKeysAreRemovedFromRowsOfSeveralMembers() throws Exception {
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster()
                    .on(
                            shard,
                            "SET sql_generate_invisible_primary_key = ON",
                            "CREATE DATABASE gipk",
                            "CREATE TABLE gipk.t_0 (a INT, b VARCHAR(10))",
                            "CREATE TABLE gipk.t_1 (a INT, b VARCHAR(10))",
                            "INSERT INTO gipk.t_0 VALUES (" + shard + "0, 'x'), (" + shard + "1, 'y')",
                            "INSERT INTO gipk.t_1 VALUES (" + shard + "2, 'x'), (" + shard + "3, NULL)");
        }
        cluster().on(1, "UPDATE gipk.t_0 SET b = 'z' WHERE a = 10", "DELETE FROM gipk.t_1 WHERE a = 13");
        cluster().awaitReplicated();
        cluster().killAndRestart(); // the definitions are read again, with the keys
        cluster().on(1, "ALTER TABLE gipk.t_0 ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER a");
        cluster().on(2, "INSERT INTO gipk.t_0 VALUES (24, 'late')", "UPDATE gipk.t_1 SET b = 'w' WHERE a = 22");
        cluster().on(1, "ALTER TABLE gipk.t_1 ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER a");
        cluster().on(2, "ALTER TABLE gipk.t_0 ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER a");
        cluster().on(2, "ALTER TABLE gipk.t_1 ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER a");
        cluster().on(2, "DELETE FROM gipk.t_0 WHERE a = 21");
        cluster().awaitReplicated();
        assertEquals(
                "10 7 z,11 7 y,12 7 x,20 7 x,22 7 w,23 7 null,24 7 late",
                cluster()
                        .replica()
                        .server()
                        .text("SELECT GROUP_CONCAT(CONCAT_WS(' ', a, c, IFNULL(b, 'null')) ORDER BY a) FROM gipk.t"));
        String create = cluster()
                .replica()
                .server()
                .text("SELECT GROUP_CONCAT(column_name ORDER BY ordinal_position)"
                        + " FROM information_schema.columns WHERE table_schema = 'gipk' AND table_name = 't'");
        assertEquals("a,c,b", create);
        cluster().awaitNothingListed();
        assertEquals(Set.of(2, 3), columnsOfRows("gipk"), "columns of rows");
    }

    /** The numbers of columns that rows of table t of a schema have in the output. */
    private static Set<Integer> columnsOfRows(String schema) throws Exception {
        return cluster().output().stream()
                .flatMap(transaction -> transaction.changes().stream())
                .filter(change -> change.isOf(schema, "t"))
                .map(change -> change.row().columns())
                .collect(Collectors.toSet());
    }

    /** CREATE TABLE is written without the key before it is known whether other shards will have the table. */
    @Test
    void generatedPrimaryKeysAreRemovedFromRowsOfTheOnlyMember() throws Exception {
        cluster()
                .on(
                        1,
                        "SET sql_generate_invisible_primary_key = ON",
                        "CREATE DATABASE alone",
                        "CREATE TABLE alone.t (a INT, b VARCHAR(10))",
                        "INSERT INTO alone.t VALUES (1, 'x'), (2, 'y')");
        cluster().awaitReplicated();
        cluster().killAndRestart();
        cluster().on(1, "UPDATE alone.t SET b = 'z' WHERE a = 1", "DELETE FROM alone.t WHERE a = 2");
        cluster().awaitReplicated();
        assertEquals("1 z", cluster().replica().server().text("SELECT GROUP_CONCAT(a, ' ', b) FROM alone.t"));
        assertEquals(Set.of(2), columnsOfRows("alone"), "columns of rows");
    }

    /** The node does not see how the copy changes in a filtered schema. */
    @Test
    void rowsAfterASwapThatWasLeftOutLoseNoColumn() throws Exception {
        cluster().onEach("CREATE DATABASE unknown", "CREATE TABLE unknown.t (id INT PRIMARY KEY)");
        cluster()
                .on(
                        1,
                        "CREATE TABLE unknown._t_gho LIKE unknown.t",
                        "ALTER TABLE unknown._t_gho ADD COLUMN c INT",
                        "INSERT INTO unknown.t VALUES (1)");
        cluster().awaitReplicated();
        cluster().on(1, "INSERT INTO unknown.t VALUES (8)"); // after a cut that is after the creation of the copy
        cluster().awaitReplicated();
        cluster().on(1, "INSERT INTO unknown.t VALUES (9)");
        cluster().awaitReplicated();
        cluster().killAndRestart();
        cluster().on(1, "INSERT INTO unknown.t VALUES (10)"); // this row shows the columns of the output
        cluster()
                .on(
                        1,
                        "CREATE DATABASE " + DdlCluster.FILTERED,
                        "RENAME TABLE unknown._t_gho TO " + DdlCluster.FILTERED + ".x",
                        "RENAME TABLE " + DdlCluster.FILTERED + ".x TO unknown._t_gho",
                        "RENAME TABLE unknown.t TO unknown._t_del, unknown._t_gho TO unknown.t",
                        "INSERT INTO unknown.t VALUES (2, 2)");
        DdlStatement swap = cluster().awaitHeld("s1", "DDL_UNSUPPORTED");
        cluster().commands().assertDone("ddl", "skip", swap.id());
        cluster().awaitReplicated();
        cluster().on(2, "INSERT INTO unknown.t VALUES (11)", "ALTER TABLE unknown.t ADD COLUMN c INT");
        cluster().awaitReplicated();
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM unknown.t WHERE id = 2 AND c = 2");
        cluster().assertSameDefinition("unknown", "t");
        assertEquals(1, cluster().statements("ALTER TABLE UNKNOWN.T ").size());
        SHARED.discard();
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
