package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.TableName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A shard joins while a statement is incomplete, or with other columns. */
class JoiningShardTest {
    private static final String CREATE = "CREATE TABLE t (id INT PRIMARY KEY, a INT)";

    private final DefinedTables tables = DefinedTables.of(2, CREATE);

    private MemberDefinition joinedMember() {
        return tables.changes().definitions().of(DefinedTables.TABLE, new TableMember(2, new TableName("shop", "t_2")));
    }

    private boolean deviates() {
        return tables.changes()
                .definitions()
                .deviates(DefinedTables.TABLE, new TableMember(2, new TableName("shop", "t_2")));
    }

    @Test
    void aShardThatLacksAStatementHasTheOldColumns() {
        tables.alter(0, "RENAME COLUMN a TO b");
        tables.join(CREATE);
        assertTrue(deviates());
        assertEquals("b", joinedMember().nameInOutput("a"));
        tables.alter(2, "RENAME COLUMN a TO b");
        tables.alter(1, "RENAME COLUMN a TO b");
        assertEquals(List.of("ALTER TABLE t RENAME COLUMN a TO b"), tables.output());
        assertFalse(deviates());
    }

    @Test
    void aShardWithTheColumnsOfTheOutputDoesNotDeviate() {
        tables.join(CREATE);
        assertFalse(deviates());
    }

    @Test
    void aShardWithOtherColumnsIsAccepted() {
        tables.join("CREATE TABLE t (id INT PRIMARY KEY, a BIGINT, z INT)");
        assertTrue(deviates());
        assertEquals(3, joinedMember().definition().orElseThrow().columns().size());
        tables.alter(0, "MODIFY a BIGINT");
        tables.alter(0, "ADD COLUMN z INT");
        assertFalse(deviates());
    }
}
