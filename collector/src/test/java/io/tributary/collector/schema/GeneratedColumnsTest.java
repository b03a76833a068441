package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Column;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A generated column that is added is written at the last member; until then rows of the others are written without it. */
class GeneratedColumnsTest {
    private static final String ADD = "ADD COLUMN g INT AS (a + 1) STORED";
    private static final String ADDED = "ALTER TABLE t " + ADD;

    private final DefinedTables tables = DefinedTables.of(3, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");

    private boolean deviates(int shard) {
        return tables.changes()
                .definitions()
                .deviates(DefinedTables.TABLE, new TableMember(shard, new TableName("shop", "t_" + shard)));
    }

    private String columns() {
        return tables.changes().definitions().inOutput(DefinedTables.TABLE).orElseThrow().columns().stream()
                .map(Column::name)
                .collect(Collectors.joining(" "));
    }

    private void assertNoMemberDeviates() {
        for (int shard = 0; shard < 3; shard++) {
            assertFalse(deviates(shard), "s" + shard);
        }
        assertEquals(List.of(), tables.items());
    }

    @Test
    void itIsWrittenAtTheLastMember() {
        tables.addGenerated(0, ADD);
        tables.restart();
        assertTrue(deviates(0));
        assertFalse(deviates(1));
        tables.addGenerated(1, ADD);
        assertEquals(List.of(), tables.output());
        assertEquals("id a", columns());
        assertEquals(SchemaItem.State.COUNTING, tables.item().state());
        tables.addGenerated(2, ADD);
        assertEquals(List.of(ADDED), tables.output());
        assertEquals("id a g", columns());
        assertNoMemberDeviates();
    }

    @Test
    void itHasThePositionOfTheMembersAlthoughOtherColumnsWereWrittenBefore() {
        tables.addGenerated(0, ADD);
        tables.alter(0, "ADD COLUMN y INT");
        tables.restart();
        tables.addGenerated(1, ADD);
        tables.addGenerated(2, ADD);
        assertEquals(List.of("ALTER TABLE t ADD COLUMN y INT", ADDED + " AFTER `a`"), tables.output());
        assertEquals("id a g y", columns());
        tables.alter(1, "ADD COLUMN y INT");
        tables.alter(2, "ADD COLUMN y INT");
        assertEquals(List.of(), tables.output());
        assertNoMemberDeviates();
    }

    @Test
    void itHasThePositionOfTheMembersAlthoughTheColumnBeforeItHasMoved() {
        tables.alter(0, "ADD COLUMN b INT");
        tables.addGenerated(0, ADD);
        tables.alter(0, "MODIFY b INT FIRST");
        for (int shard = 1; shard < 3; shard++) {
            tables.alter(shard, "ADD COLUMN b INT");
            tables.addGenerated(shard, ADD);
        }
        assertEquals("b id a g", columns());
        tables.alter(1, "MODIFY b INT FIRST");
        tables.alter(2, "MODIFY b INT FIRST");
        assertNoMemberDeviates();
    }

    @Test
    void aColumnAfterItIsWrittenAfterTheColumnBeforeIt() {
        tables.addGenerated(0, ADD);
        tables.alter(0, "ADD COLUMN y INT AFTER g");
        tables.restart();
        assertEquals(List.of("ALTER TABLE t ADD COLUMN y INT AFTER `a`"), tables.output());
        for (int shard = 1; shard < 3; shard++) {
            tables.addGenerated(shard, ADD);
            tables.alter(shard, "ADD COLUMN y INT AFTER g");
        }
        assertEquals(List.of(ADDED + " AFTER `a`"), tables.output());
        assertEquals("id a g y", columns());
        assertNoMemberDeviates();
    }

    @Test
    void itIsNeverWrittenIfAMemberDropsItBeforeTheLastOneHasIt() {
        tables.addGenerated(0, ADD);
        tables.addGenerated(1, ADD);
        tables.alter(0, "DROP COLUMN g");
        tables.restart();
        tables.alter(1, "DROP COLUMN g");
        tables.addGenerated(2, ADD);
        assertTrue(deviates(2));
        tables.alter(2, "DROP COLUMN g");
        assertEquals(List.of(), tables.output());
        assertNoMemberDeviates();
    }

    @Test
    void aStatementThatChangesItIsWrittenAfterIt() {
        for (int shard = 0; shard < 2; shard++) {
            tables.addGenerated(shard, ADD);
            tables.index(shard, "ADD INDEX k (g)");
            tables.alter(shard, "RENAME COLUMN g TO h");
            tables.restart();
        }
        assertEquals(List.of(), tables.output());
        tables.addGenerated(2, ADD);
        assertEquals(
                List.of(ADDED, "ALTER TABLE t ADD INDEX k (g)", "ALTER TABLE t RENAME COLUMN g TO h"), tables.output());
        tables.index(2, "ADD INDEX k (g)");
        tables.alter(2, "RENAME COLUMN g TO h");
        assertEquals(List.of(), tables.output());
        assertEquals("id a h", columns());
        assertNoMemberDeviates();
    }

    @Test
    void itsExpressionMayChangeInTwoItems() {
        for (int shard = 0; shard < 3; shard++) {
            tables.addGenerated(shard, ADD);
        }
        tables.output();
        for (int shard = 0; shard < 3; shard++) {
            tables.alter(shard, "DROP COLUMN g");
            tables.addGenerated(shard, "ADD COLUMN g INT AS (a + 2) STORED");
            tables.restart();
        }
        assertEquals(
                List.of("ALTER TABLE t DROP COLUMN g", "ALTER TABLE t ADD COLUMN g INT AS (a + 2) STORED"),
                tables.output());
        assertNoMemberDeviates();
    }

    @Test
    void itIsWrittenAtOnceIfThereIsOneMember() {
        DefinedTables one = DefinedTables.of(1, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");
        one.addGenerated(0, ADD);
        assertEquals(List.of(ADDED), one.output());
        assertEquals(List.of(), one.items());
    }
}
