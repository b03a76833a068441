package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The written statements and the deviating members, if members reach the same columns in different ways. */
class DefinitionCasesTest {
    private static final String CREATE = "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT)";

    private final DefinedTables tables = DefinedTables.of(4, CREATE);

    private boolean deviates(int shard) {
        return tables.changes()
                .definitions()
                .deviates(DefinedTables.TABLE, new TableMember(shard, new TableName("shop", "t_" + shard)));
    }

    private String columns() {
        return tables.changes().definitions().inOutput(DefinedTables.TABLE).orElseThrow().columns().stream()
                .map(column -> column.name() + " " + column.type().name())
                .reduce((one, next) -> one + ", " + next)
                .orElse("");
    }

    private void assertNoMemberDeviates() {
        for (int shard = 0; shard < 4; shard++) {
            assertFalse(deviates(shard), "s" + shard);
        }
    }

    /** The statement failed on the last shard and is reverted on the others. */
    @Test
    void afterARevertedAlterAMemberThatNeverHadItConforms() {
        for (int shard = 0; shard < 3; shard++) {
            tables.alter(shard, "ADD COLUMN c INT");
        }
        assertTrue(deviates(3));
        tables.restart();
        tables.alter(0, "DROP COLUMN c");
        assertFalse(deviates(3), "it has the columns of the output at once");
        tables.alter(1, "DROP COLUMN c");
        tables.alter(2, "DROP COLUMN c");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT", "ALTER TABLE t DROP COLUMN c"), tables.output());
        assertNoMemberDeviates();
        assertEquals("id int, a int, b int", columns());
    }

    @Test
    void alterationsThatAreSplitDifferentlyOnEachShardAreWrittenOnce() {
        tables.alter(0, "ADD COLUMN c INT, ADD COLUMN d BIGINT, DROP COLUMN a");
        tables.alter(1, "ADD COLUMN c INT");
        tables.restart();
        tables.alter(1, "DROP COLUMN a, ADD COLUMN d BIGINT");
        tables.alter(2, "DROP COLUMN a");
        tables.alter(2, "ADD COLUMN c INT, ADD COLUMN d BIGINT");
        tables.alter(3, "DROP COLUMN a");
        tables.alter(3, "ADD COLUMN d BIGINT AFTER b");
        tables.restart();
        tables.alter(3, "ADD COLUMN c INT AFTER b");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT, ADD COLUMN d BIGINT, DROP COLUMN a"), tables.output());
        assertNoMemberDeviates();
    }

    @Test
    void changesThatCrossEachOtherAreBothWritten() {
        tables.alter(0, "ADD COLUMN c INT");
        tables.alter(1, "ADD COLUMN d INT");
        tables.restart();
        tables.alter(0, "ADD COLUMN d INT");
        tables.alter(1, "ADD COLUMN c INT AFTER b");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT", "ALTER TABLE t ADD COLUMN d INT"), tables.output());
        assertEquals("id int, a int, b int, c int, d int", columns());
        assertFalse(deviates(0));
        assertFalse(deviates(1));
        assertTrue(deviates(2));
    }

    @Test
    void swappedColumnNamesKeepTheirValuesOnMembersThatLag() {
        tables.alter(0, "RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        tables.restart();
        MemberDefinition lagging = tables.changes()
                .definitions()
                .of(DefinedTables.TABLE, new TableMember(1, new TableName("shop", "t_1")));
        assertEquals("b", lagging.nameInOutput("a"));
        assertEquals("a", lagging.nameInOutput("b"));
        tables.alter(1, "RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        assertEquals(1, tables.output().size());
    }

    @Test
    void aNewNameAndANewTypeInOneStatementAreOneColumn() {
        tables.alter(0, "CHANGE COLUMN a n BIGINT");
        tables.restart();
        MemberDefinition lagging = tables.changes()
                .definitions()
                .of(DefinedTables.TABLE, new TableMember(2, new TableName("shop", "t_2")));
        assertEquals("n", lagging.nameInOutput("A"));
        assertEquals("id int, n bigint, b int", columns());
    }

    @Test
    void anAlterUnderTheOldNameIsWrittenUnderTheNameInTheOutput() {
        tables.rename(0);
        tables.alter(1, "ADD COLUMN c INT");
        tables.restart();
        tables.rename(1);
        for (int shard = 2; shard < 4; shard++) {
            tables.alter(shard, "ADD COLUMN c INT");
            tables.rename(shard);
        }
        tables.alterRenamed(0, "ADD COLUMN c INT");
        assertEquals(List.of("RENAME TABLE t TO u", "ALTER TABLE `shop`.`u` ADD COLUMN c INT"), tables.output());
        assertEquals(List.of(), tables.items());
        assertEquals(
                4,
                tables.changes()
                        .definitions()
                        .inOutput(DefinedTables.RENAMED)
                        .orElseThrow()
                        .columns()
                        .size());
    }

    @Test
    void aTableKeepsItsColumnsThroughARenameInSeveralSteps() {
        tables.alter(0, "ADD COLUMN c INT");
        for (int shard = 0; shard < 4; shard++) {
            tables.renameInSteps(shard);
        }
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT", "RENAME TABLE t TO m, m TO u"), tables.output());
        Definitions definitions = tables.changes().definitions();
        assertEquals(
                4,
                definitions
                        .inOutput(DefinedTables.RENAMED)
                        .orElseThrow()
                        .columns()
                        .size());
        assertFalse(definitions.deviates(DefinedTables.RENAMED, new TableMember(0, new TableName("shop", "u_0"))));
        assertTrue(definitions.deviates(DefinedTables.RENAMED, new TableMember(1, new TableName("shop", "u_1"))));
    }

    @Test
    void aMemberThatLacksTwoRenamesKeepsItsColumnsBetweenThem() {
        tables.rename(0);
        tables.renameAgain(0);
        tables.rename(1);
        tables.renameAgain(1);
        tables.rename(2);
        tables.restart();
        tables.alter(3, "ADD COLUMN c INT");
        Definitions definitions = tables.changes().definitions();
        TableName last = new TableName("shop", "v");
        assertTrue(definitions.deviates(last, new TableMember(2, new TableName("shop", "u_2"))));
        tables.rename(3);
        tables.renameAgain(2);
        assertTrue(definitions.deviates(last, new TableMember(2, new TableName("shop", "v_2"))));
        assertFalse(definitions.deviates(last, new TableMember(3, new TableName("shop", "u_3"))));
    }

    @Test
    void aMemberThatLagsKeepsItsColumnsThroughItsFirstOfTwoRenames() {
        tables.alter(0, "ADD COLUMN c INT");
        tables.rename(0);
        tables.renameAgain(0);
        tables.rename(1);
        TableName last = new TableName("shop", "v");
        assertTrue(tables.changes().definitions().deviates(last, new TableMember(1, new TableName("shop", "u_1"))));
        tables.renameAgain(1);
        assertTrue(tables.changes().definitions().deviates(last, new TableMember(1, new TableName("shop", "v_1"))));
    }

    /** Its old definition does not count any more, nor the statements that the others lacked. */
    @Test
    void aTableThatIsDroppedAndCreatedWithOtherColumnsStartsAgain() {
        tables.alter(0, "ADD COLUMN c INT");
        for (int shard = 0; shard < 4; shard++) {
            tables.drop(shard);
        }
        tables.restart();
        String other = "CREATE TABLE t (x BIGINT)";
        for (int shard = 0; shard < 4; shard++) {
            tables.create(shard, other);
        }
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT", "DROP TABLE t", other), tables.output());
        assertEquals("x bigint", columns());
        assertNoMemberDeviates();
    }

    @Test
    void foreignKeysOfMembersReferToTheTableInTheOutput() {
        DefinedTables shards = new DefinedTables(
                "CREATE TABLE t (id INT PRIMARY KEY, up INT, CONSTRAINT parent FOREIGN KEY (up) REFERENCES t_0 (id))",
                "CREATE TABLE t (id INT PRIMARY KEY, up INT, CONSTRAINT parent FOREIGN KEY (up) REFERENCES t_1 (id))");
        Optional<TableDefinition> output = shards.changes().definitions().inOutput(DefinedTables.TABLE);
        assertEquals(
                List.of(DefinedTables.TABLE),
                output.orElseThrow().foreignKeys().stream()
                        .map(ForeignKey::referenced)
                        .toList());
        shards.alter(0, "ADD COLUMN c INT");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT"), shards.output());
    }

    /** The last shard has received everything when the first one empties the table, and has processed nothing. */
    @Test
    void aTableThatIsEmptiedUnderItsNewNameIsEmptiedOnceOnEachMember() {
        tables.createOther(2);
        tables.createOther(3);
        tables.truncateOther(3);
        for (int shard = 3; shard >= 0; shard--) {
            tables.rename(shard);
            tables.truncateRenamed(shard);
        }
        assertEquals(List.of("CREATE TABLE x (id INT)", "RENAME TABLE t TO u", "TRUNCATE u"), tables.output());
        tables.truncateOther(2);
        assertEquals(List.of("TRUNCATE x"), tables.output());
        assertEquals(List.of(), tables.changes().pending(new int[] {0, 1, 2, 3}));
    }

    @Test
    void aCheckThatIsDroppedWhileAnotherStatementIsCountedIsNeverWritten() {
        for (int shard = 0; shard < 4; shard++) {
            tables.addGenerated(shard, "ADD COLUMN g INT AS (a + 1)");
            tables.constrain(shard, "ADD CHECK (a > 0)");
            tables.index(shard, "DROP CHECK t_chk_1");
        }
        assertEquals(List.of("ALTER TABLE t ADD COLUMN g INT AS (a + 1)"), tables.output());
        assertEquals(List.of(), tables.changes().pending(new int[] {0, 1, 2, 3}));
    }

    /** The first member drops its second check before both are written; the others drop theirs after the first one was written. */
    @Test
    void aDropThatWasCountedAndIsNotNeededIsRemoved() {
        tables.constrain(0, "ADD CHECK (a > 0)");
        tables.constrain(0, "ADD CHECK (b > 0)");
        tables.index(0, "DROP CHECK t_chk_2");
        for (int shard = 1; shard < 4; shard++) {
            tables.constrain(shard, "ADD CHECK (a > 0)");
        }
        for (int shard = 1; shard < 4; shard++) {
            tables.constrain(shard, "ADD CHECK (b > 0)");
            tables.index(shard, "DROP CHECK t_chk_2");
        }
        assertEquals(List.of("ALTER TABLE t ADD CONSTRAINT `t_chk_1` CHECK (a > 0)"), tables.output());
        assertEquals(List.of(), tables.changes().pending(new int[] {0, 1, 2, 3}));
    }

    /** An index that the output got and the member has not is no reason to forget its columns. */
    @Test
    void theColumnsOfMembersStayKnownIfAnAlterAlsoAddsAnIndex() {
        for (int shard = 0; shard < 4; shard++) {
            tables.alter(shard, "MODIFY a INT NULL, ADD INDEX i (a)");
        }
        tables.alter(0, "CHANGE COLUMN b c BIGINT");
        MemberDefinition lagging = tables.changes()
                .definitions()
                .of(DefinedTables.TABLE, new TableMember(3, new TableName("shop", "t_3")));
        assertTrue(lagging.definition().isPresent());
        assertEquals("c", lagging.nameInOutput("b"));
    }

    /** Otherwise its rows could not be written: they contain no values for the column. */
    @Test
    void aGeneratedColumnIsNotWrittenBeforeAMemberThatIsCreatedAgainHasIt() {
        String create = "CREATE TABLE t (id INT PRIMARY KEY, a INT)";
        tables.createOther(2);
        tables.createOther(3);
        tables.truncateOther(3);
        for (int shard = 3; shard >= 0; shard--) {
            tables.drop(shard);
            tables.create(shard, create);
        }
        for (int shard = 0; shard < 3; shard++) {
            tables.addGenerated(shard, "ADD COLUMN g INT AS (a + 1)");
        }
        assertEquals(List.of("CREATE TABLE x (id INT)", "DROP TABLE t", create), tables.output());
        tables.truncateOther(2);
        assertEquals(List.of("TRUNCATE x"), tables.output(), "the last one has been created, and lacks the column");
        tables.addGenerated(3, "ADD COLUMN g INT AS (a + 1)");
        assertEquals(1, tables.output().size());
        assertNoMemberDeviates();
    }

    @Test
    void aTableLikeOneWithAKeyThatTheOutputLacksIsCreatedWithThatKey() {
        tables.constrain(0, "ADD UNIQUE KEY k (a)");
        tables.createRenamed(0, "CREATE TABLE u LIKE shop.t");
        for (int shard = 1; shard < 4; shard++) {
            tables.constrain(shard, "ADD UNIQUE KEY k (a)");
            tables.createRenamed(shard, "CREATE TABLE u LIKE shop.t");
        }
        assertEquals(List.of("""
                        CREATE TABLE `shop`.`u` (
                          `id` int NOT NULL,
                          `a` int NULL DEFAULT NULL,
                          `b` int NULL DEFAULT NULL,
                          PRIMARY KEY (`id`),
                          UNIQUE KEY `k` (`a`)
                        ) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci""", "ALTER TABLE t ADD UNIQUE KEY k (a)"), tables.output());
    }

    /** Its name is chosen by the server, so the statement that adds it does not contain it. */
    @Test
    void aForeignKeyThatIsDroppedWhileOthersLackItIsNeverWritten() {
        for (int shard = 0; shard < 4; shard++) {
            tables.alter(shard, "ADD COLUMN f BIGINT");
            tables.constrain(shard, "ADD FOREIGN KEY (f) REFERENCES t (id)");
            tables.index(shard, "DROP FOREIGN KEY t_ibfk_1");
            tables.restart();
        }
        assertEquals(
                List.of("ALTER TABLE t ADD COLUMN f BIGINT", "ALTER TABLE `shop`.`t` ADD KEY `f` (`f`)"),
                tables.output(),
                "the index that the server made for it stays");
        assertNoMemberDeviates();
    }

    @Test
    void membersThatDifferAtTheStartLeaveTheOutputUnknown() {
        DefinedTables unlike = new DefinedTables(CREATE, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");
        assertTrue(unlike.changes().definitions().inOutput(DefinedTables.TABLE).isEmpty());
        unlike.alter(0, "ADD COLUMN c INT");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT"), unlike.output());
    }

    /** The statement as MySQL 8.0.30 logs it with sql_generate_invisible_primary_key. */
    @Test
    void aGeneratedKeyIsRemovedFromTheCreatedTable() {
        for (int shard = 0; shard < 4; shard++) {
            tables.drop(shard);
        }
        tables.output();
        String create = "CREATE TABLE t (`my_row_id` bigint unsigned NOT NULL AUTO_INCREMENT /*!80023 INVISIBLE */,"
                + " a INT, PRIMARY KEY (`my_row_id`), KEY k (a)) COMMENT='my_row_id'";
        String cut = "CREATE TABLE t (a INT, KEY k (a)) COMMENT='my_row_id'";
        tables.create(0, create);
        tables.restart();
        tables.create(1, create);
        tables.create(2, create);
        tables.create(3, create);
        assertEquals(List.of(cut), tables.output());
        assertEquals("a int", columns());
        assertNoMemberDeviates();
        tables.alter(0, "ADD COLUMN z INT");
        assertEquals("a int, z int", columns());
        tables.restartUnlisted();
        assertTrue(tables.changes().cutsGeneratedKey(0, rows()), "rows before the other members are listed");
        assertEquals("", tables.changes().awaitedForGeneratedKey(0, rows()));
    }

    private static TableRef rows() {
        return new TableRef(1, 1, DefinedTables.TABLE, DefinedTables.physical(0), false);
    }

    @Test
    void aGeneratedKeyIsDroppedWhenTheTableGetsASecondMember() {
        String create =
                "CREATE TABLE t (my_row_id bigint unsigned NOT NULL AUTO_INCREMENT INVISIBLE, a INT, PRIMARY KEY (my_row_id))";
        DefinedTables grown = DefinedTables.of(1, create);
        assertFalse(dropsKey(grown, 0));
        assertFalse(grown.changes().cutsGeneratedKey(0, rows()));
        grown.join(create);
        assertTrue(dropsKey(grown, 1), "rows wait");
        assertTrue(dropsKey(grown, 0), "also those of the first member");
        assertEquals(List.of(), grown.output());
        grown.restartUnlisted();
        assertTrue(dropsKey(grown, 1));
        grown.list();
        assertEquals(List.of("ALTER TABLE `shop`.`t` DROP PRIMARY KEY, DROP COLUMN `my_row_id`"), grown.output());
        for (int shard = 0; shard < 2; shard++) {
            assertFalse(dropsKey(grown, shard));
            assertTrue(grown.changes().cutsGeneratedKey(shard, rows()));
            assertFalse(grown.changes().deviates(shard, rows()));
        }
    }

    private static boolean dropsKey(DefinedTables tables, int shard) {
        TableRef rows = new TableRef(1, 1, DefinedTables.TABLE, DefinedTables.physical(shard), false);
        return tables.changes().dropsGeneratedKey(shard, rows, ByteBuffer.allocate(64));
    }

    @Test
    void rowsWithAGeneratedKeyWaitUntilItIsKnownWhetherTheOutputHasIt() {
        String create =
                "CREATE TABLE t (my_row_id bigint unsigned NOT NULL AUTO_INCREMENT INVISIBLE, a INT, PRIMARY KEY (my_row_id))";
        for (int shards = 1; shards <= 2; shards++) {
            DefinedTables later = DefinedTables.unlisted(shards, create);
            assertTrue(later.changes().awaitedForGeneratedKey(0, rows()).startsWith("the list of tables of shard s0"));
            later.list();
            assertEquals("", later.changes().awaitedForGeneratedKey(0, rows()));
            boolean hasKey = later.changes()
                    .definitions()
                    .inOutput(DefinedTables.TABLE)
                    .orElseThrow()
                    .hasGeneratedKey();
            assertEquals(shards == 1, hasKey);
            assertEquals(shards > 1, later.changes().cutsGeneratedKey(0, rows()));
        }
    }

    @Test
    void aTableWithTheMaximumOfColumnsIsKeptAndChanged() {
        StringBuilder create = new StringBuilder("CREATE TABLE t (c0 INT PRIMARY KEY");
        for (int column = 1; column < 4095; column++) {
            create.append(", c").append(column).append(" TINYINT");
        }
        DefinedTables wide = DefinedTables.of(2, create.append(')').toString());
        wide.alter(0, "ADD COLUMN last TINYINT, RENAME COLUMN c7 TO seven");
        wide.restart();
        assertEquals(
                4096,
                wide.changes()
                        .definitions()
                        .inOutput(DefinedTables.TABLE)
                        .orElseThrow()
                        .columns()
                        .size());
        wide.alter(1, "ADD COLUMN last TINYINT, RENAME COLUMN c7 TO seven");
        assertEquals(1, wide.output().size());
        assertTrue(CreateTable.text(wide.changes()
                        .definitions()
                        .inOutput(DefinedTables.TABLE)
                        .orElseThrow())
                .contains("`seven`"));
    }
}
