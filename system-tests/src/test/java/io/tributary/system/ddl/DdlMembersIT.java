package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.check.BinlogTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of statements that arrive from one member of a table after another, where a member is one physical table of one shard: each is written once,
 * when all members allow it, and the replica has the rows of all shards together.
 */
class DdlMembersIT {
    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED =
            new SharedCluster(number -> DdlCluster.start(folder.resolve("cluster-" + number), 2, config -> config));

    @Test
    void aStatementOnFourPhysicalTablesIsWrittenOnce() throws Exception {
        cluster().onEach("CREATE DATABASE four");
        onEachOrders("CREATE TABLE four.%s (id INT PRIMARY KEY, v INT)");
        onEachOrders("ALTER TABLE four.%s ADD COLUMN w INT");
        onEachOrders("INSERT INTO four.%s VALUES (%d, 0, 1)");
        onEachOrders("ALTER TABLE four.%s ADD INDEX by_w (w)");
        onEachOrders("INSERT INTO four.%s VALUES (1%d, 0, 1)");
        cluster().awaitReplicated();
        cluster().assertOnce("CREATE TABLE", "FOUR.ORDERS");
        cluster().assertOnce("ADD COLUMN");
        cluster().assertOnce("ADD INDEX");
        cluster().assertUnion("four");
        cluster().awaitNothingListed();
    }

    @Test
    void aTruncateOfOnePhysicalTableWaitsForTheOtherThree() throws Exception {
        createOrders("emptied");
        onEachOrders("INSERT INTO emptied.%s VALUES (%d, 0)");
        cluster().awaitReplicated();

        cluster().on(1, "TRUNCATE TABLE emptied.orders_0", "INSERT INTO emptied.orders_0 VALUES (100, 0)");
        DdlStatement waiting = cluster().awaitWaiting("TRUNCATE", "emptied.orders");
        assertEquals(List.of("s1:emptied.orders_0"), waiting.has());
        cluster().on(2, "INSERT INTO emptied.orders_2 VALUES (102, 0)");
        cluster().awaitReplica("5", "SELECT COUNT(*) FROM emptied.orders");
        cluster().on(1, "TRUNCATE emptied.orders_1");
        cluster().on(2, "TRUNCATE emptied.orders_2", "INSERT INTO emptied.orders_2 VALUES (202, 0)");
        cluster().awaitWaiting("TRUNCATE", "emptied.orders");
        cluster().on(2, "INSERT INTO emptied.orders_3 VALUES (103, 0)", "TRUNCATE TABLE emptied.orders_3");
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().assertUnion("emptied");
        cluster().awaitNothingListed();
    }

    @Test
    void aDropOfOnePhysicalTableWaitsForTheOtherThree() throws Exception {
        createOrders("gone");
        onEachOrders("INSERT INTO gone.%s VALUES (%d, 0)");
        cluster().awaitReplicated();

        cluster().on(1, "DROP TABLE gone.orders_1");
        cluster().awaitWaiting("DROP TABLE", "gone.orders");
        cluster().on(2, "INSERT INTO gone.orders_2 VALUES (102, 0)");
        cluster().awaitReplica("5", "SELECT COUNT(*) FROM gone.orders");
        cluster().on(2, "DROP TABLE gone.orders_2, gone.orders_3");
        cluster().awaitWaiting("DROP TABLE", "gone.orders");
        cluster().on(1, "DROP TABLE gone.orders_0");
        cluster().awaitReplicated();
        cluster().assertOnce("DROP TABLE");
        cluster().assertUnion("gone");
        cluster().awaitNothingListed();
    }

    @Test
    void rowsBetweenTheTruncatesOfTwoShardsEndAsTheyDoOnTheShards() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE roll",
                        "CREATE TABLE roll.whole (id INT PRIMARY KEY, v INT)",
                        partitioned("roll.truncated"),
                        partitioned("roll.dropped"),
                        partitioned("roll.exchanged"),
                        "CREATE TABLE roll.archive (id INT PRIMARY KEY, v INT)");
        List<String> tables = List.of("whole", "truncated", "dropped", "exchanged");
        List<String> statements = List.of(
                "TRUNCATE TABLE roll.whole",
                "ALTER TABLE roll.truncated TRUNCATE PARTITION low",
                "ALTER TABLE roll.dropped DROP PARTITION low",
                "ALTER TABLE roll.exchanged EXCHANGE PARTITION low WITH TABLE roll.archive");
        cluster().on(1, "INSERT INTO roll.archive VALUES (11, 0)");
        cluster().on(2, "INSERT INTO roll.archive VALUES (12, 0)");
        for (String table : tables) {
            cluster().on(1, "INSERT INTO roll." + table + " VALUES (1, 0), (101, 0)");
            cluster().on(2, "INSERT INTO roll." + table + " VALUES (2, 0), (102, 0)");
        }
        cluster().awaitReplicated();
        for (int i = 0; i < tables.size(); i++) {
            String table = "roll." + tables.get(i);
            cluster().on(1, statements.get(i), "INSERT INTO " + table + " VALUES (103, 0)");
            cluster().awaitWaiting(statements.get(i));
            cluster().on(2, "INSERT INTO " + table + " VALUES (4, 0), (104, 0)");
            cluster().awaitReplica("1", "SELECT COUNT(*) FROM " + table + " WHERE id = 4");
            cluster().on(2, statements.get(i), "INSERT INTO " + table + " VALUES (106, 0)");
        }
        cluster().on(1, "INSERT INTO roll.archive VALUES (21, 0)");
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE TABLE");
        cluster().assertOnce("TRUNCATE PARTITION");
        cluster().assertOnce("DROP PARTITION");
        cluster().assertOnce("EXCHANGE PARTITION");
        cluster().assertUnion("roll");
        cluster().awaitNothingListed();
    }

    /** The statements of the shards arrive at the same time, so that rows of the other shard are between them in any order. */
    @Test
    void rowsThatAShardWroteBeforeItsOwnTruncateAreLeftOutWhenTheStatementIsWritten() throws Exception {
        cluster().onEach("CREATE DATABASE late", "CREATE TABLE late.t (id INT PRIMARY KEY, v INT)");
        cluster().awaitReplicated();
        for (int round = 0; round < 3; round++) {
            cluster().node().kill9();
            for (int shard = 1; shard <= 2; shard++) {
                int id = 1000 * round + 100 * shard;
                cluster()
                        .on(
                                shard,
                                "INSERT INTO late.t VALUES (" + (id + 1) + ", 0), (" + (id + 2) + ", 0)",
                                "UPDATE late.t SET v = 1",
                                "DELETE FROM late.t WHERE id = " + (id + 2),
                                "TRUNCATE TABLE late.t",
                                "INSERT INTO late.t VALUES (" + (id + 3) + ", 0)");
            }
            cluster().node().start();
            cluster().awaitReplicated();
            cluster().assertUnion("late");
        }
        assertEquals(
                3,
                cluster().statements("TRUNCATE").size(),
                cluster().statements().toString());
    }

    /** As above; the statement of a partition does not affect the rows of other partitions. */
    @Test
    void rowsOfOtherPartitionsAreKeptWhenTheirShardHasNotRunTheStatement() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE parts",
                        partitioned("parts.truncated"),
                        partitioned("parts.exchanged"),
                        "CREATE TABLE parts.archive (id INT PRIMARY KEY, v INT)");
        cluster().awaitReplicated();
        cluster().node().kill9();
        for (int shard = 1; shard <= 2; shard++) {
            cluster()
                    .on(
                            shard,
                            "INSERT INTO parts.truncated VALUES (" + shard + ", 0), (10" + shard + ", 0)",
                            "INSERT INTO parts.exchanged VALUES (" + shard + ", 0), (10" + shard + ", 0)",
                            "ALTER TABLE parts.truncated TRUNCATE PARTITION low",
                            "ALTER TABLE parts.exchanged EXCHANGE PARTITION low WITH TABLE parts.archive",
                            "INSERT INTO parts.truncated VALUES (2" + shard + ", 0)");
        }
        cluster().node().start();
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE PARTITION");
        cluster().assertOnce("EXCHANGE PARTITION");
        cluster().assertUnion("parts");
    }

    /** These are not the tables of an online tool: the old table stays under another name. */
    @Test
    void tablesAreRenamedWhenBothShardsHaveRenamedThem() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE renamed",
                        "CREATE TABLE renamed.live (id INT PRIMARY KEY, v INT)",
                        "CREATE TABLE renamed.fresh (id INT PRIMARY KEY, v INT)",
                        "INSERT INTO renamed.live VALUES (@@server_id, 0)");
        cluster().awaitReplicated();
        cluster().mark();
        String first = "RENAME TABLE renamed.live TO renamed.archive, renamed.fresh TO renamed.live";
        cluster().on(1, first, "INSERT INTO renamed.live VALUES (1, 0)");
        cluster().awaitWaiting("RENAME TABLE", "renamed.live");
        cluster().on(2, "INSERT INTO renamed.live VALUES (2, 0)");
        cluster().awaitReplica("3", "SELECT COUNT(*) FROM renamed.live");
        cluster().on(2, first, "INSERT INTO renamed.live VALUES (3, 0)");
        cluster().awaitReplicated();
        cluster().assertOnce("RENAME TABLE");
        cluster().assertUnion("renamed");

        cluster()
                .node()
                .kill9(); // the statements arrive at the same time, with rows of each shard before and after its own
        for (int shard = 1; shard <= 2; shard++) {
            cluster()
                    .on(
                            shard,
                            "INSERT INTO renamed.live VALUES (1" + shard + ", 0)",
                            "RENAME TABLE renamed.live TO renamed.older, renamed.archive TO renamed.live",
                            "UPDATE renamed.older SET v = 1",
                            "INSERT INTO renamed.live VALUES (2" + shard + ", 0)");
        }
        cluster().node().start();
        cluster().awaitReplicated();
        assertEquals(2, cluster().statements("RENAME TABLE").size());
        cluster().assertUnion("renamed");
        cluster().awaitNothingListed();
    }

    @Test
    void aTableThatTheOtherShardStillWritesIsDroppedWhenBothHaveDroppedIt() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE kept",
                        "CREATE TABLE kept.t (id INT PRIMARY KEY)",
                        "CREATE TABLE kept.u (id INT PRIMARY KEY)");
        cluster().awaitReplicated();
        cluster().on(1, "DROP TABLE kept.t", "INSERT INTO kept.u VALUES (1)");
        cluster().awaitWaiting("DROP TABLE", "kept.t");
        cluster().on(2, "INSERT INTO kept.t VALUES (2)");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM kept.t");
        cluster().on(2, "DROP TABLE kept.t");
        cluster().awaitReplicated();
        cluster().assertOnce("DROP TABLE");
        cluster().assertUnion("kept");

        cluster().on(1, "DROP DATABASE kept");
        cluster().awaitWaiting("DROP DATABASE", "kept");
        cluster().on(2, "INSERT INTO kept.u VALUES (3)");
        cluster().awaitReplica("2", "SELECT COUNT(*) FROM kept.u");
        cluster().on(2, "DROP DATABASE kept");
        cluster().awaitReplicated();
        cluster().assertOnce("DROP DATABASE");
        cluster().awaitReplica("0", "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'kept'");
        cluster().awaitNothingListed();
    }

    /** %1$s is the table, %2$s the prefix of the names of its constraints. */
    @Test
    void anAlterThatKeepsTheShapeOfRowsNeverStopsTheNode() throws Exception {
        List<String> first = List.of(
                "ALTER TABLE %s ADD INDEX by_v (v)",
                "CREATE INDEX by_v ON %s (v)",
                "ALTER TABLE %s DROP INDEX by_w",
                "DROP INDEX by_w ON %s",
                "ALTER TABLE %s RENAME INDEX by_w TO by_w_again",
                "ALTER TABLE %s ALTER INDEX by_w INVISIBLE",
                "ALTER TABLE %s DROP CHECK %2$s_positive",
                "ALTER TABLE %s ALTER COLUMN v SET DEFAULT 7",
                "ALTER TABLE %s ALTER COLUMN w DROP DEFAULT",
                "ALTER TABLE %s COMMENT = 'changed'",
                "ALTER TABLE %s ENGINE = InnoDB",
                "ALTER TABLE %s PARTITION BY HASH (id) PARTITIONS 2");
        List<String> last = List.of(
                "ALTER TABLE %s ADD CONSTRAINT %2$s_small CHECK (v < 100000)",
                "ALTER TABLE %s ADD UNIQUE KEY once (id, v)", "CREATE UNIQUE INDEX once ON %s (id, w)");
        List<String> all = new ArrayList<>(first);
        all.addAll(last);
        cluster().onEach("CREATE DATABASE kinds");
        for (int kind = 0; kind < all.size(); kind++) {
            cluster()
                    .onEach("CREATE TABLE " + table(kind) + " (id INT PRIMARY KEY, v INT, w INT NOT NULL DEFAULT 1, "
                            + "KEY by_w (w), CONSTRAINT k" + kind + "_positive CHECK (w > 0))");
        }
        cluster().awaitReplicated();
        cluster().mark();

        for (int kind = 0; kind < all.size(); kind++) {
            cluster().on(1, statement(all, kind));
        }
        for (int shard = 2; shard >= 1; shard--) { // the one that lacks the statements first
            for (int kind = 0; kind < all.size(); kind++) {
                cluster().on(shard, "INSERT INTO " + table(kind) + " VALUES (" + shard + ", 1, 1)");
            }
        }
        cluster().awaitReplicated();
        for (int kind = 0; kind < all.size(); kind++) {
            int wanted = kind < first.size() ? 1 : 0;
            String name = table(kind).toUpperCase(Locale.ROOT);
            assertEquals(
                    wanted,
                    cluster().statements(name).size(),
                    () -> name + " before the other shard has run it: " + all);
        }
        for (int kind = 0; kind < all.size(); kind++) {
            cluster().on(2, statement(all, kind));
        }
        for (int kind = 0; kind < all.size(); kind++) {
            cluster().on(2, "INSERT INTO " + table(kind) + " VALUES (3, 3, 3)");
        }
        cluster().awaitReplicated();
        for (int kind = 0; kind < all.size(); kind++) {
            cluster().assertOnce(table(kind).toUpperCase(Locale.ROOT));
            cluster().assertSameDefinition("kinds", "k" + kind + "_");
        }
        cluster().assertUnion("kinds");
        cluster().awaitNothingListed();
    }

    private static String table(int kind) {
        return "kinds.k" + kind + "_";
    }

    private static String statement(List<String> all, int kind) {
        return String.format(Locale.ROOT, all.get(kind), table(kind), "k" + kind);
    }

    @Test
    void aUniqueKeyIsAddedWithTheLastShardAndDroppedWithTheFirst() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE uniq",
                        "CREATE TABLE uniq.added (id INT PRIMARY KEY, v INT)",
                        "CREATE TABLE uniq.dropped (id INT PRIMARY KEY, v INT, UNIQUE KEY by_v (v))");
        cluster().awaitReplicated();
        cluster().on(1, "ALTER TABLE uniq.added ADD UNIQUE KEY by_v (v)", "INSERT INTO uniq.added VALUES (1, 1)");
        cluster().on(2, "INSERT INTO uniq.added VALUES (2, 2), (3, 2)");
        cluster().awaitReplicated();
        cluster().assertNone("ADD UNIQUE");
        cluster().on(2, "DELETE FROM uniq.added WHERE id = 3", "ALTER TABLE uniq.added ADD UNIQUE KEY by_v (v)");
        cluster().awaitReplicated();
        cluster().assertOnce("ADD UNIQUE");

        cluster().on(1, "ALTER TABLE uniq.dropped DROP INDEX by_v", "INSERT INTO uniq.dropped VALUES (1, 1), (2, 1)");
        cluster().awaitReplicated();
        cluster().assertOnce("DROP INDEX");
        cluster().on(2, "INSERT INTO uniq.dropped VALUES (3, 3)", "ALTER TABLE uniq.dropped DROP INDEX by_v");
        cluster().awaitReplicated();
        cluster().assertOnce("DROP INDEX");
        cluster().assertSameDefinition("uniq", "added");
        cluster().assertSameDefinition("uniq", "dropped");
        cluster().assertUnion("uniq");
    }

    @Test
    void anAlterWithItemsOfBothKindsLeavesTheReplicaWithAll() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE both_kinds",
                        "CREATE TABLE both_kinds.t (id INT PRIMARY KEY, v INT, w INT, KEY by_w (w))");
        String alter = "ALTER TABLE both_kinds.t DROP INDEX by_w, ADD UNIQUE KEY by_v (v), ADD INDEX by_both (v, w)";
        cluster().on(1, alter);
        cluster().on(2, "INSERT INTO both_kinds.t VALUES (1, 1, 1), (2, 1, 1)");
        cluster().awaitReplicated();
        cluster().on(2, "DELETE FROM both_kinds.t WHERE id = 2", alter, "INSERT INTO both_kinds.t VALUES (3, 3, 3)");
        cluster().awaitReplicated();
        cluster().assertSameDefinition("both_kinds", "t");
        cluster().assertUnion("both_kinds");
        cluster().awaitNothingListed();
    }

    /** %s is the table without its schema. */
    @Test
    void theSameStatementInAnotherWordingIsWrittenOnce() throws Exception {
        List<List<String>> pairs = List.of(
                List.of(
                        "ALTER TABLE words.%s ADD INDEX a (v)",
                        "ALTER /* by hand */ TABLE words.%s ADD INDEX a (v) -- x"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "alter table words.%s add index a (v)"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "ALTER TABLE `words`.`%s` ADD INDEX `a` (`v`)"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "USE words; ALTER TABLE %s ADD INDEX a (v)"),
                List.of("USE words; ALTER TABLE %s ADD INDEX a (v)", "USE mysql; ALTER TABLE words.%s ADD INDEX a (v)"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "ALTER TABLE words.%s\n\tADD  INDEX a(v) ;"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "ALTER TABLE words.%s /*!80000 ADD INDEX a (v) */"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "ALTER TABLE words.%s ADD INDEX b (v)"),
                List.of("CREATE INDEX a ON words.%s (v)", "CREATE INDEX b ON words.%s (v)"),
                List.of("ALTER TABLE words.%s ADD INDEX a (v)", "ALTER TABLE words.%s ADD KEY (v)"),
                List.of(
                        "ALTER TABLE words.%1$s ADD CONSTRAINT %1$s_a CHECK (v > 0)",
                        "ALTER TABLE words.%1$s ADD CONSTRAINT %1$s_b CHECK (v > 0)"),
                List.of(
                        "ALTER TABLE words.%1$s ADD CONSTRAINT %1$s_a UNIQUE (v)",
                        "ALTER TABLE words.%1$s ADD CONSTRAINT %1$s_b UNIQUE (v)"),
                List.of("ALTER TABLE words.%s COMMENT = 'one'", "ALTER TABLE words.%s COMMENT = 'two'"),
                List.of("ALTER TABLE words.%s ADD COLUMN c INT", "ALTER TABLE words.%s add c int"),
                List.of("TRUNCATE TABLE words.%s", "/* empty it */ truncate words.%s"),
                List.of("DROP TABLE words.%s", "DROP TABLE IF EXISTS `words`.%s"),
                List.of("DROP TABLE words.%s", "USE words; DROP TABLE %s"));
        cluster().onEach("CREATE DATABASE words");
        for (int pair = 0; pair < pairs.size(); pair++) {
            cluster().onEach("CREATE TABLE words.w" + pair + "_ (id INT PRIMARY KEY, v INT)");
        }
        cluster().awaitReplicated();
        cluster().mark();
        for (int pair = 0; pair < pairs.size(); pair++) {
            for (int shard = 1; shard <= 2; shard++) {
                String text = pairs.get(pair).get(shard - 1);
                cluster().on(shard, String.format(Locale.ROOT, text, "w" + pair + "_"));
            }
        }
        cluster().awaitReplicated();
        for (int pair = 0; pair < pairs.size(); pair++) {
            cluster().assertOnce("W" + pair + "_");
        }
        cluster().assertUnion("words");
        cluster().awaitNothingListed();
    }

    @Test
    void anIndexThatOneShardCreatesAndTheOtherAddsIsWrittenOnce() throws Exception {
        cluster().onEach("CREATE DATABASE forms", "CREATE TABLE forms.t (id INT PRIMARY KEY, v INT)");
        cluster().on(1, "CREATE INDEX by_v ON forms.t (v)");
        cluster().on(2, "ALTER TABLE forms.t ADD INDEX by_v (v)");
        cluster().onEach("INSERT INTO forms.t VALUES (@@server_id, 1)");
        cluster().awaitReplicated();
        assertEquals(
                1, cluster().statements("INDEX").size(), cluster().statements().toString());
        cluster().assertUnion("forms");
        cluster().awaitNothingListed();
    }

    @Test
    void tablesThatDifferInTheirOptionsOnlyAreCreatedOnce() throws Exception {
        cluster().onEach("CREATE DATABASE options_only");
        for (int shard = 1; shard <= 2; shard++) {
            String number = Integer.toString(shard);
            cluster()
                    .on(
                            shard,
                            "CREATE TABLE options_only.t (id INT AUTO_INCREMENT PRIMARY KEY, v INT) AUTO_INCREMENT="
                                    + number + "000000 COMMENT='of shard " + number + "'",
                            "CREATE TABLE options_only.u (id INT PRIMARY KEY, v INT, KEY name_" + number + " (v)) "
                                    + (shard == 1 ? "ENGINE=InnoDB" : ""),
                            "INSERT INTO options_only.t (v) VALUES (" + number + ")",
                            "INSERT INTO options_only.u VALUES (" + number + ", 0)");
        }
        cluster().awaitReplicated();
        cluster().assertOnce("OPTIONS_ONLY.T ");
        cluster().assertOnce("OPTIONS_ONLY.U ");
        cluster().assertUnion("options_only");
        cluster().awaitNothingListed();
    }

    @Test
    void theStatementsOfATableThatOnlyOneShardHasDoNotWait() throws Exception {
        cluster().onEach("CREATE DATABASE alone");
        cluster().on(1, "CREATE TABLE alone.t (id INT PRIMARY KEY, v INT)", "INSERT INTO alone.t VALUES (1, 1)");
        cluster().on(1, "ALTER TABLE alone.t ADD COLUMN w INT", "INSERT INTO alone.t VALUES (2, 2, 2)");
        cluster().on(1, "ALTER TABLE alone.t ADD UNIQUE KEY by_v (v)", "TRUNCATE TABLE alone.t");
        cluster().on(1, "INSERT INTO alone.t VALUES (3, 3, 3)");
        cluster().awaitReplicated();
        cluster().assertUnion("alone");
        cluster().awaitNothingListed();
        cluster().on(1, "DROP TABLE alone.t");
        for (int i = 0; i < 20; i++) {
            cluster().on(1, "CREATE TABLE alone.staged" + i + "_ (id INT)", "DROP TABLE alone.staged" + i + "_");
        }
        cluster().on(2, "CREATE DATABASE alone_too", "CREATE TABLE alone_too.t (id INT PRIMARY KEY)");
        cluster().on(2, "DROP DATABASE alone_too");
        cluster().awaitReplicated();
        cluster().assertUnion("alone");
        cluster().awaitNothingListed();
        assertEquals(0, cluster().node().metric("tributary_collect_ddl_pending"));
    }

    @Test
    void tablesOfGhOstAreNotWritten() throws Exception {
        changeOnline("ghost", OnlineTool.GH_OST, List.of("_T_GHO", "_T_GHC", "_T_DEL"));
    }

    @Test
    void tablesOfPtOnlineSchemaChangeAreNotWritten() throws Exception {
        changeOnline("percona", OnlineTool.PT_ONLINE_SCHEMA_CHANGE, List.of("_T_NEW", "_T_OLD"));
        cluster()
                .awaitReplica("0", "SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = 'percona'");
    }

    /** Adds an index with an online tool, shard by shard, while rows are written. */
    private static void changeOnline(String schema, OnlineTool tool, List<String> hidden) throws Exception {
        cluster().onEach("CREATE DATABASE " + schema, "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY, v INT)");
        cluster().onEach("INSERT INTO " + schema + ".t VALUES (@@server_id, 1)");
        for (int shard = 1; shard <= 2; shard++) {
            cluster().on(shard, tool.statements(schema, "ADD INDEX by_v (v)", 10 * shard));
            cluster().onEach("UPDATE " + schema + ".t SET v = v + 1");
            cluster().awaitReplicated();
        }
        assertHidden(schema, hidden);
        cluster().assertSameDefinition(schema, "t");
        cluster().assertUnion(schema);
        cluster().awaitNothingListed();
    }

    /** Checks that no statement contains one of these tables, and that all rows are of the real table. */
    private static void assertHidden(String schema, List<String> tables) throws Exception {
        for (String table : tables) {
            cluster().assertNone(table);
        }
        List<String> foreign = cluster().output().stream()
                .map(BinlogTransaction::changes)
                .flatMap(List::stream)
                .filter(change -> change.schema().equals(schema))
                .map(change -> change.table())
                .filter(table -> !table.equals("t"))
                .toList();
        assertEquals(List.of(), foreign, "tables of rows");
    }

    @Test
    void aTableThatIsCreatedFromAQueryIsWrittenAsTheTableAndItsRows() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE chosen",
                        "CREATE DATABASE IF NOT EXISTS " + DdlCluster.FILTERED,
                        "CREATE TABLE chosen.t (id INT PRIMARY KEY, v VARCHAR(10))",
                        "INSERT INTO chosen.t VALUES (@@server_id, 'of it')");
        cluster().on(1, "CREATE TABLE chosen.copied (PRIMARY KEY (id)) SELECT id, v FROM chosen.t");
        cluster().on(1, "CREATE TABLE " + DdlCluster.FILTERED + ".copied AS SELECT * FROM chosen.t");
        cluster().on(1, "INSERT INTO chosen.copied VALUES (1, 'later')");
        cluster().awaitReplicated();
        cluster().awaitReplica("2", "SELECT COUNT(*) FROM chosen.copied");
        cluster().on(2, "CREATE TABLE chosen.copied (PRIMARY KEY (id)) SELECT id, v FROM chosen.t");
        cluster().awaitReplicated();
        cluster().awaitReplica("3", "SELECT COUNT(*) FROM chosen.copied");
        cluster().assertOnce("CHOSEN.COPIED");
        cluster().assertNone(DdlCluster.FILTERED.toUpperCase(Locale.ROOT) + ".");
        cluster().assertUnion("chosen");
        cluster().awaitNothingListed();
    }

    @Test
    void aTableInATablespaceIsCreatedWithoutIt() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE spaces",
                        "CREATE TABLESPACE of_orders ADD DATAFILE 'of_orders.ibd' ENGINE=InnoDB",
                        "CREATE TABLE spaces.t (id INT PRIMARY KEY) TABLESPACE of_orders ENGINE=InnoDB",
                        "INSERT INTO spaces.t VALUES (@@server_id)");
        cluster().awaitReplicated();
        cluster().assertOnce("CREATE TABLE ", "SPACES.T");
        cluster().assertNone("CREATE TABLE ", "TABLESPACE");
        cluster().assertUnion("spaces");
        assertTrue(cluster().node().logText().contains("spaces.t"), "expected a WARN with the table");
    }

    @Test
    void aDropOfAKeptAndAFilteredTableIsWrittenForTheKeptOneOnly() throws Exception {
        String filtered = DdlCluster.FILTERED + ".a";
        cluster()
                .onEach(
                        "CREATE DATABASE half",
                        "CREATE DATABASE IF NOT EXISTS " + DdlCluster.FILTERED,
                        "CREATE TABLE half.t (id INT PRIMARY KEY)",
                        "CREATE TABLE " + filtered + " (id INT PRIMARY KEY)",
                        "INSERT INTO half.t VALUES (@@server_id)");
        cluster().awaitReplicated();
        cluster().onEach("DROP TABLE half.t, " + filtered);
        cluster().awaitReplicated();
        cluster().assertOnce("DROP TABLE", "HALF.T");
        cluster().assertNone(filtered.toUpperCase(Locale.ROOT));
        cluster().assertUnion("half");
        cluster().awaitNothingListed();
    }

    /** The server empties such a table at its start, and writes a statement for that to its binlog. */
    @Test
    void aMemoryTableThatItsShardEmptiedAtARestartIsKept() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE volatile_rows",
                        "CREATE TABLE volatile_rows.t (id INT PRIMARY KEY) ENGINE=MEMORY",
                        "INSERT INTO volatile_rows.t VALUES (@@server_id)");
        cluster().awaitReplicated();
        cluster().shard(1).restart();
        assertEquals("0", cluster().shard(1).text("SELECT COUNT(*) FROM volatile_rows.t"));
        cluster().on(1, "INSERT INTO volatile_rows.t VALUES (1)");
        cluster().on(2, "INSERT INTO volatile_rows.t VALUES (2)");
        cluster().awaitReplicated();
        cluster().assertNone("TRUNCATE");
        cluster().assertNone("DELETE");
        assertEquals("4", cluster().replica().server().text("SELECT COUNT(*) FROM volatile_rows.t"));
        cluster().awaitNothingListed();
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }

    private static String partitioned(String table) {
        return "CREATE TABLE " + table + " (id INT PRIMARY KEY, v INT) PARTITION BY RANGE (id)"
                + " (PARTITION low VALUES LESS THAN (100), PARTITION high VALUES LESS THAN MAXVALUE)";
    }

    /** Creates orders_0 and orders_1 on the first shard, orders_2 and orders_3 on the second. */
    private static void createOrders(String schema) throws Exception {
        cluster().onEach("CREATE DATABASE " + schema);
        onEachOrders("CREATE TABLE IF NOT EXISTS " + schema + ".%s (id INT PRIMARY KEY, v INT)");
    }

    /** Runs a statement on each physical table in turn; %s is its name, %d its number. */
    private static void onEachOrders(String statement) throws Exception {
        for (int number = 0; number < 4; number++) {
            cluster().on(number / 2 + 1, String.format(Locale.ROOT, statement, "orders_" + number, number));
        }
    }
}
