package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.writeset.KeyRows;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** last_committed by the unique keys of a table that change, that only some members have, or that cannot be read. */
class CollectorKeyChangesTest {
    private static final String PLAIN = "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT, b INT)";
    private static final String UNIQUE = "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT, b INT, UNIQUE KEY u (a))";
    private static final String OTHER = "CREATE TABLE shop.other (id INT PRIMARY KEY)";

    private final WritesetOutput output = new WritesetOutput();

    @AfterEach
    void close() {
        output.close();
    }

    /** Requires that rows with one value of a column depend on each other, and no other rows do. */
    private void requireUnique(String create, int column) {
        insert(create, 0, 100, column, 100);
        long seven = insert(create, 0, 101, column, 7);
        long eight = insert(create, 1, 102, column, 8);
        assertTrue(output.lastCommitted(eight) < seven, "other values do not depend on each other");
        assertEquals(seven, output.lastCommitted(insert(create, 1, 103, column, 7)));
    }

    private long insert(String create, int shard, int id, int column, int value) {
        Integer[] row = {id, null, null};
        row[column] = value;
        return output.insert(shard, create, row);
    }

    /** Requires that rows without a common value depend on each other. */
    private void requireOneAfterAnother(String create) {
        insert(create, 0, 200, 1, 200);
        long before = insert(create, 0, 201, 1, 201);
        assertEquals(before, output.lastCommitted(insert(create, 1, 202, 1, 202)));
    }

    // ---- keys of some members

    @Test
    void aKeyThatOnlyOneMemberHas() {
        output.list(0, PLAIN);
        output.list(1, UNIQUE);
        requireUnique(PLAIN, 1);
    }

    @Test
    void aKeyThatOnlyOneMemberHasAfterARestartBeforeTheListsOfTables() {
        output.list(0, PLAIN);
        output.list(1, UNIQUE);
        requireUnique(PLAIN, 1);
        output.restart();
        requireUnique(PLAIN, 1);
    }

    @Test
    void aKeyThatOneMemberHasGotUnnoticedBeforeARestart() {
        output.listed(PLAIN);
        output.restart();
        output.list(0, PLAIN);
        output.list(1, UNIQUE);
        requireUnique(PLAIN, 1);
    }

    @Test
    void aKeyOfOneMemberOnAColumnThatIsRenamed() {
        output.list(0, PLAIN);
        output.list(1, UNIQUE);
        output.alter(DdlKind.FORWARD, true, "t", "RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        requireUnique("CREATE TABLE shop.t (id INT PRIMARY KEY, b INT, a INT)", 1);
    }

    @Test
    void aKeyOfOneMemberOfATableThatIsRenamed() {
        output.list(0, PLAIN);
        output.list(1, UNIQUE);
        output.rename("t", "u");
        requireUnique(PLAIN.replace("shop.t", "shop.u"), 1);
    }

    @Test
    void aKeyOfOneMemberOfATableThatAnotherOneIsLike() {
        output.list(0, PLAIN);
        output.list(1, UNIQUE);
        output.statement(
                new WritesetOutput.Statement(DdlKind.NEW, true, "CREATE TABLE shop.u LIKE shop.t"),
                new Target(Effect.CREATES, KeyRows.name("u")));
        requireUnique(PLAIN.replace("shop.t", "shop.u"), 1);
    }

    @Test
    void aKeyOfOneMemberOnTwoColumnsOfWhichOneIsDropped() {
        output.list(0, PLAIN);
        output.list(1, PLAIN.replace("b INT", "b INT, UNIQUE KEY u (a, b)"));
        output.alter(DdlKind.FORWARD, true, "t", "DROP COLUMN b");
        String left = "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT)";
        long seven = output.insert(0, left, 1, 7);
        assertTrue(output.lastCommitted(output.insert(1, left, 2, 8)) < seven);
        assertEquals(seven, output.lastCommitted(output.insert(1, left, 3, 7)));
    }

    @Test
    void aKeyOfAMemberThatIsListedUnderItsNameBeforeARename() {
        String renamed = PLAIN.replace("shop.t", "shop.u");
        output.listed(PLAIN);
        output.statementOfFirst(
                new WritesetOutput.Statement(DdlKind.FORWARD, false, "RENAME TABLE shop.t TO shop.u"),
                new Target(Effect.RENAMES, KeyRows.name("t")),
                new Target(Effect.BECOMES, KeyRows.name("u")));
        output.restart();
        output.list(0, renamed);
        output.list(1, UNIQUE);
        insert(renamed, 0, 1, 1, 100);
        long seven = insert(renamed, 0, 2, 1, 7);
        long eight = insert(renamed, 0, 3, 1, 8);
        assertTrue(output.lastCommitted(eight) < seven);
        assertEquals(seven, output.lastCommitted(insert(PLAIN, 1, 4, 1, 7)));
    }

    @Test
    void aKeyThatIsAddedAndDropped() {
        output.listed(PLAIN);
        output.alter(DdlKind.LATE, false, "t", "ADD UNIQUE KEY u (a)");
        requireUnique(PLAIN, 1);
        output.alter(DdlKind.EARLY, false, "t", "DROP INDEX u");
        output.restart();
        insert(PLAIN, 0, 200, 1, 7);
        long second = insert(PLAIN, 0, 201, 1, 7);
        assertTrue(output.lastCommitted(insert(PLAIN, 1, 202, 1, 7)) < second - 1);
    }

    // ---- statements that cannot be read

    private static final String UNKNOWN_OPTION = " LATER_OPTION = 1";

    @Test
    void aUniqueKeyThatCannotBeRead() {
        output.listed(PLAIN);
        requireUnique(PLAIN, 0);
        output.alter(DdlKind.LATE, false, "t", "ADD UNIQUE KEY u (a)" + UNKNOWN_OPTION);
        requireOneAfterAnother(PLAIN);
    }

    @Test
    void aUniqueKeyThatCannotBeReadIsLearnedFromAShard() {
        output.listed(PLAIN);
        insert(PLAIN, 0, 1, 1, 1);
        output.alter(DdlKind.LATE, false, "t", "ADD UNIQUE KEY u (a)" + UNKNOWN_OPTION);
        output.answers(KeyRows.name("t"), UNIQUE);
        requireUnique(PLAIN, 1);
    }

    @Test
    void anotherPrimaryKeyThatCannotBeRead() {
        output.listed(PLAIN);
        output.alter(DdlKind.EARLY, false, "t", "DROP PRIMARY KEY, ADD PRIMARY KEY (a)" + UNKNOWN_OPTION);
        requireOneAfterAnother(PLAIN);
    }

    @Test
    void aForeignKeyThatCannotBeRead() {
        String parent = "CREATE TABLE shop.parent (id INT PRIMARY KEY)";
        output.listed(parent, PLAIN);
        output.alter(
                DdlKind.LATE,
                false,
                "t",
                "ADD FOREIGN KEY (a) REFERENCES shop.parent (id) ON DELETE CASCADE" + UNKNOWN_OPTION);
        requireOneAfterAnother(PLAIN);
    }

    @Test
    void aStatementThatContradictsTheDefinition() {
        output.listed(UNIQUE);
        output.alter(DdlKind.LATE, false, "t", "ADD UNIQUE KEY u (a)");
        requireUnique(UNIQUE, 1);
        output.alter(DdlKind.LATE, false, "t", "ADD UNIQUE KEY u (b)");
        requireOneAfterAnother(UNIQUE);
    }

    @Test
    void aStatementThatCannotBeReadAndAddsNoKey() {
        output.listed(UNIQUE, OTHER);
        output.alter(DdlKind.EARLY, false, "t", "DROP INDEX i" + UNKNOWN_OPTION);
        requireUnique(UNIQUE, 1);
        output.alter(DdlKind.LATE, false, "t", "ADD CONSTRAINT c CHECK (a > 0)" + UNKNOWN_OPTION);
        requireUnique(UNIQUE, 1);
    }

    @Test
    void anotherPrimaryKeyInTheStatementThatRenamesTheTable() {
        output.listed(PLAIN);
        String after = "CREATE TABLE shop.u (id INT, a INT PRIMARY KEY, b INT)";
        output.statement(
                new WritesetOutput.Statement(
                        DdlKind.FORWARD,
                        false,
                        "ALTER TABLE shop.t RENAME TO shop.u, DROP PRIMARY KEY, ADD PRIMARY KEY (a)"),
                new Target(Effect.RENAMES, KeyRows.name("t")),
                new Target(Effect.BECOMES, KeyRows.name("u")));
        requireUnique(after, 1);
    }
}
