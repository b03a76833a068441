package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.DdlDecision;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Columns that each shard fills with its own values. */
class ApproximateTest {
    private static final String TIME = "ADD COLUMN at TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP";
    private static final SchemaRules REFUSE = new SchemaRules(true, table -> false, table -> false, true);

    private final DefinedTables tables = DefinedTables.of(2, "CREATE TABLE t (id INT PRIMARY KEY)");

    private Optional<Instant> filled(String column) {
        return tables.changes()
                .definitions()
                .filledAt(DefinedTables.TABLE, column)
                .map(OffsetDateTime::toInstant);
    }

    @Test
    void theStatementIsWrittenOnceCountedAndListedWithAWarning() {
        tables.alter(0, TIME);
        assertEquals(List.of("ALTER TABLE t " + TIME), tables.output());
        assertEquals(1, tables.changes().approximate().value());
        assertTrue(
                tables.item().message().contains("approximate: each shard fills at"),
                tables.item().message());
        tables.restart();
        assertTrue(
                tables.item().message().contains("approximate: each shard fills at"),
                tables.item().message());
        tables.alter(1, TIME);
        assertEquals(List.of(), tables.output());
        assertEquals(List.of(), tables.items());
        assertEquals(0, tables.changes().approximate().value(), "counted once, before the restart");
    }

    @Test
    void rowsAreFilledWithTheTimeOfTheWrittenStatementAlsoAfterRenamesAndRestarts() {
        Instant written = Instant.ofEpochSecond(1_700_000_000L);
        tables.alter(0, TIME);
        assertEquals(Optional.of(written), filled("AT"));
        tables.alter(0, "RENAME COLUMN at TO made");
        tables.restart();
        assertEquals(Optional.empty(), filled("at"));
        assertEquals(Optional.of(written), filled("made"));
        tables.alter(0, "ADD COLUMN n INT DEFAULT 5");
        assertEquals(Optional.empty(), filled("n"));
        tables.alter(0, "DROP COLUMN made");
        assertEquals(Optional.empty(), filled("made"));
    }

    @Test
    void constantExpressionsAndTablesOfOneMemberAreExact() {
        tables.alter(0, "ADD COLUMN a TEXT DEFAULT ('x'), ADD COLUMN j JSON DEFAULT (json_array())");
        assertEquals(0, tables.changes().approximate().value());
        DefinedTables alone = DefinedTables.of(1, "CREATE TABLE t (id INT PRIMARY KEY)");
        alone.rules(REFUSE);
        alone.alter(0, TIME);
        assertEquals(0, alone.changes().approximate().value());
        assertEquals(1, alone.output().size());
    }

    @Test
    void allKindsAreDetected() {
        for (String added : List.of(
                "n INT AUTO_INCREMENT UNIQUE",
                "u VARCHAR(36) DEFAULT (uuid())",
                "d DATE DEFAULT (CURRENT_DATE)",
                "s SERIAL",
                "c INT DEFAULT (id + 1)")) {
            DefinedTables each = DefinedTables.of(2, "CREATE TABLE t (id INT PRIMARY KEY)");
            each.alter(0, "ADD COLUMN " + added);
            assertEquals(1, each.changes().approximate().value(), added);
        }
    }

    @Test
    void aTableWithAnUnknownDefinitionIsDecidedByTheText() {
        DefinedTables unknown = new DefinedTables("CREATE TABLE t AS SELECT 1", "CREATE TABLE t AS SELECT 1");
        unknown.alter(0, "ADD COLUMN n INT DEFAULT 7");
        assertEquals(0, unknown.changes().approximate().value());
        unknown.alter(0, "ADD COLUMN at DATETIME DEFAULT NOW()");
        assertEquals(1, unknown.changes().approximate().value());
    }

    @Test
    void aRefusedStatementHoldsEachShardUntilItIsLeftOutOrTheRuleChanges() {
        tables.rules(REFUSE);
        tables.alter(0, TIME);
        assertEquals(List.of(), tables.output());
        SchemaItem held = tables.item();
        assertEquals(ErrorCode.DDL_UNSUPPORTED, held.code());
        assertTrue(held.message().contains("each shard fills at with its own values"), held.message());
        tables.restart();
        assertEquals(held.id(), tables.item().id());
        tables.execute(new DdlDecision(DdlDecision.Verb.SKIP, held.id(), "", false));
        assertEquals(List.of(), tables.items());
        tables.alter(1, TIME);
        assertEquals("s1", tables.item().shard());
        tables.rules(SchemaRules.STANDARD);
        assertEquals(List.of("ALTER TABLE t " + TIME), tables.output());
    }
}
