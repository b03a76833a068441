package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.DdlDecision;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another statement replaces one that cannot be written: {@code tributary ddl text}. */
class ReplacedStatementTest {
    private final DefinedTables tables = DefinedTables.of(3, "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT)");

    /** s1 changes a column that s0 has dropped. */
    private SchemaItem conflict() {
        tables.alter(0, "DROP COLUMN a");
        tables.alter(1, "MODIFY COLUMN a BIGINT");
        tables.output();
        SchemaItem held = tables.items().stream()
                .filter(item -> item.state() == SchemaItem.State.HELD)
                .findFirst()
                .orElseThrow();
        assertEquals(ErrorCode.DDL_CONFLICT, held.code());
        return held;
    }

    private DdlDecision text(SchemaItem held, String text) {
        return new DdlDecision(DdlDecision.Verb.TEXT, held.id(), "", false, text);
    }

    private boolean isHeld() {
        return tables.items().stream().anyMatch(item -> item.state() == SchemaItem.State.HELD);
    }

    @Test
    void theCommandsOfAConflictContainAnAcceptedStatement() {
        SchemaItem held = conflict();
        String expected = "ALTER TABLE `shop`.`t` ADD COLUMN `a` bigint NULL DEFAULT NULL AFTER `id`";
        assertEquals(
                "tributary ddl text " + held.id() + " --text '" + expected + "' -c FILE",
                held.commands().get(0));
        tables.execute(text(held, expected));
        assertTrue(!isHeld());
        assertEquals(List.of(expected), tables.output());
        tables.restart();
        assertEquals(List.of(), tables.output(), "it is written once");
        tables.alter(2, "MODIFY COLUMN a BIGINT");
        assertEquals(List.of(), tables.output(), "the output has its effect");
        assertTrue(!isHeld());
    }

    @Test
    void aTextWithAnotherResultIsRefusedWithTheDifferences() {
        SchemaItem held = conflict();
        for (String wrong : List.of(
                "ALTER TABLE shop.t ADD COLUMN a INT",
                "ALTER TABLE shop.t ADD COLUMN a BIGINT, DROP COLUMN b",
                "ALTER TABLE shop.t ADD COLUMN a BIGINT, DROP PRIMARY KEY",
                "ALTER TABLE shop.other ADD COLUMN a BIGINT",
                "ALTER TABLE shop.t MODIFY COLUMN a BIGINT",
                "DROP TABLE shop.t")) {
            TributaryException refused =
                    assertThrows(TributaryException.class, () -> tables.execute(text(held, wrong)), wrong);
            assertEquals(ErrorCode.DECISION_REFUSED, refused.code());
        }
        TributaryException refused = assertThrows(
                TributaryException.class, () -> tables.execute(text(held, "ALTER TABLE shop.t ADD COLUMN a INT")));
        assertTrue(
                refused.getMessage().contains("TYPE of a: int(0,0) and bigint(0,0)")
                        || refused.getMessage().contains("TYPE of a: int and bigint"),
                refused.getMessage());
        assertTrue(isHeld());
    }

    @Test
    void theDecisionOutlivesARestartBeforeItIsExecuted() {
        SchemaItem held = conflict();
        String text = "ALTER TABLE shop.t ADD COLUMN a BIGINT AFTER id";
        tables.schema().watch().execute(text(held, text));
        tables.restart();
        assertEquals(List.of(text), tables.output());
        assertTrue(!isHeld());
    }

    @Test
    void aStatementThatWaitsOrIsNotCompleteIsNotReplaced() {
        tables.truncate(0);
        SchemaItem waits = tables.item();
        assertThrows(
                TributaryException.class, () -> tables.execute(text(waits, "ALTER TABLE shop.t ADD COLUMN z INT")));
        tables.alter(1, "ADD COLUMN z INT");
        SchemaItem pending = tables.items().stream()
                .filter(item -> item.state() == SchemaItem.State.PENDING)
                .findFirst()
                .orElseThrow();
        assertThrows(
                TributaryException.class, () -> tables.execute(text(pending, "ALTER TABLE shop.t ADD COLUMN z INT")));
    }
}
