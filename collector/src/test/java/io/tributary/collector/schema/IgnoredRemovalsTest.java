package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** DROP TABLE and TRUNCATE of members whose table is an archive change only the member. */
class IgnoredRemovalsTest {
    private static final String CREATE = "CREATE TABLE t (id INT PRIMARY KEY)";
    private static final SchemaRules IGNORE = new SchemaRules(false, table -> true, table -> true, true);

    private final DefinedTables tables = DefinedTables.of(3, CREATE);

    @Test
    void aDropOfOneMemberIsNotWrittenAndNoShardWaits() {
        tables.rules(IGNORE);
        tables.drop(0);
        assertEquals(List.of(), tables.items());
        assertEquals(1, tables.changes().ignored().value());
        tables.restart();
        tables.alter(1, "ADD COLUMN a INT");
        assertEquals(List.of("s2:shop.t_2"), tables.item().lacks(), "the member was dropped");
        tables.alter(2, "ADD COLUMN a INT");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN a INT"), tables.output());
        assertEquals(List.of(), tables.items());
    }

    @Test
    void aTruncateOfOneMemberIsNotWrittenAndLeavesNoRowsOut() {
        tables.rules(IGNORE);
        tables.truncate(1);
        assertEquals(List.of(), tables.output());
        assertEquals(List.of(), tables.items());
        assertTrue(!tables.changes().hasRules());
        assertEquals(1, tables.changes().ignored().value());
    }

    @Test
    void eachStatementHasItsOwnRuleByPhysicalName() {
        tables.rules(new SchemaRules(false, table -> table.table().equals("t_0"), table -> false, true));
        tables.drop(0);
        assertEquals(List.of(), tables.items());
        tables.drop(1);
        assertEquals(List.of("s2:shop.t_2"), tables.item().lacks());
        tables.drop(2);
        assertEquals(List.of("DROP TABLE t"), tables.output());
        tables.create(0, CREATE);
        assertEquals(List.of(CREATE), tables.output());
        tables.truncate(0);
        assertEquals(List.of("TRUNCATE t"), tables.output());
    }

    /** The table is still on the replicas. */
    @Test
    void aTableWhoseLastMemberWasDroppedIsNotCreatedAgain() {
        tables.rules(IGNORE);
        tables.drop(0);
        tables.drop(1);
        tables.drop(2);
        tables.restart();
        tables.create(1, CREATE);
        assertEquals(List.of(), tables.output());
        tables.alter(1, "ADD COLUMN a INT");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN a INT"), tables.output());
        tables.rules(SchemaRules.STANDARD);
        tables.drop(1);
        assertEquals(List.of("DROP TABLE t"), tables.output());
        tables.create(1, CREATE);
        assertEquals(List.of(CREATE), tables.output());
    }
}
