package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenChange.Kind;
import io.tributary.common.value.HiddenChange.Rename;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.TableName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hidden tables replace members: the content of the journal, and the written statements if the alterations of a hidden table are not known. */
class HiddenSwapTest {
    private static final String CREATE = "CREATE TABLE t (id INT PRIMARY KEY, a INT)";

    private final DefinedTables tables = DefinedTables.of(2, CREATE);

    private static TableName hidden(int shard, String suffix) {
        return new TableName("shop", "_t_" + shard + suffix);
    }

    private static HiddenChange made(int shard, String... items) {
        List<HiddenTable.Alter> alters = new ArrayList<>();
        for (String each : items) {
            alters.add(new HiddenTable.Alter(
                    each, new HiddenTable.SessionSettings("shop", false, true, "UTF-8", ByteBuffer.allocate(3))));
        }
        return new HiddenChange(List.of(HiddenTable.copy(hidden(shard, "_gho"), alters)), List.of());
    }

    /** RENAME t TO _t_OLD, _t_NEW TO t. */
    private static HiddenChange swap(int shard, Kind kind, String copy, String old) {
        TableName table = DefinedTables.physical(shard);
        return new HiddenChange(
                List.of(HiddenTable.gone(hidden(shard, copy)), HiddenTable.other(hidden(shard, old))),
                List.of(
                        new Rename(Kind.MOVES_AWAY, table, hidden(shard, old), DefinedTables.TABLE),
                        new Rename(kind, hidden(shard, copy), table, DefinedTables.TABLE)));
    }

    private void change(int shard, String items) {
        tables.hide(shard, made(shard, items));
        tables.swap(shard, items, swap(shard, Kind.TAKES_PLACE, "_gho", "_del"));
    }

    private void undo(int shard) {
        tables.swap(shard, "", swap(shard, Kind.TAKES_PLACE_UNKNOWN, "_del", "_gho"));
    }

    private List<HiddenTable> inJournal() {
        List<HiddenTable> found = new ArrayList<>();
        tables.schema().journal().forEach(HiddenForm.PREFIX, (key, value) -> found.add(HiddenForm.decode(value)));
        return found;
    }

    private SchemaItem held() {
        return tables.items().stream()
                .filter(item -> item.state() == SchemaItem.State.HELD)
                .findFirst()
                .orElseThrow();
    }

    private void assertNothingHeld() {
        assertTrue(
                tables.items().stream().noneMatch(item -> item.state() == SchemaItem.State.HELD),
                () -> tables.items().toString());
    }

    @Test
    void theStatementsOfACopyAreInTheJournalUntilItTakesItsPlace() {
        tables.hide(0, made(0));
        tables.hide(0, made(0, "ADD COLUMN c INT"));
        tables.restart();
        assertEquals(made(0, "ADD COLUMN c INT").tables(), inJournal());
        tables.swap(0, "ADD COLUMN c INT", swap(0, Kind.TAKES_PLACE, "_gho", "_del"));
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT"), tables.output());
        assertEquals(
                List.of(hidden(0, "_del")),
                inJournal().stream().map(HiddenTable::name).toList());
        tables.hide(0, new HiddenChange(List.of(HiddenTable.gone(hidden(0, "_del"))), List.of()));
        assertEquals(List.of(), inJournal());
    }

    @Test
    void aSwapThatIsUndoneWritesTheInverseOnce() {
        change(0, "ADD COLUMN c INT");
        change(1, "ADD COLUMN c INT");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN c INT"), tables.output());
        tables.restart();
        undo(0);
        assertEquals(List.of("ALTER TABLE `shop`.`t` DROP COLUMN `c`"), tables.output());
        assertTrue(tables.changes()
                .definitions()
                .deviates(DefinedTables.TABLE, new TableMember(1, DefinedTables.physical(1))));
        tables.restart();
        undo(1);
        assertEquals(List.of(), tables.output());
        assertEquals(List.of(), tables.items());
        undoAgain(0);
        assertEquals(List.of("ALTER TABLE `shop`.`t` ADD COLUMN `c` int NULL DEFAULT NULL"), tables.output());
    }

    private void undoAgain(int shard) {
        tables.swap(shard, "", swap(shard, Kind.TAKES_PLACE_UNKNOWN, "_gho", "_del"));
    }

    @Test
    void aSwapThatIsUndoneInTwoStepsWritesTheInverse() {
        change(0, "ADD COLUMN c INT");
        tables.output();
        TableName table = DefinedTables.physical(0);
        TableName away = hidden(0, "_gho");
        tables.hide(
                0,
                new HiddenChange(
                        List.of(HiddenTable.away(away, table)),
                        List.of(new Rename(Kind.MOVES_AWAY, table, away, DefinedTables.TABLE))));
        tables.restart();
        tables.swap(
                0,
                "",
                new HiddenChange(
                        List.of(HiddenTable.gone(hidden(0, "_del")), HiddenTable.other(away)),
                        List.of(new Rename(Kind.TAKES_PLACE_UNKNOWN, hidden(0, "_del"), table, DefinedTables.TABLE))));
        assertEquals(List.of("ALTER TABLE `shop`.`t` DROP COLUMN `c`"), tables.output());
        assertEquals(List.of(away), inJournal().stream().map(HiddenTable::name).toList());
    }

    @Test
    void anOperatorDecidesBetweenARenamedAndAnotherColumn() {
        change(0, "CHANGE COLUMN a b INT");
        change(1, "CHANGE COLUMN a b INT");
        tables.output();
        undo(0);
        SchemaItem held = held();
        assertEquals(ErrorCode.DDL_CONFLICT, held.code());
        String rename = "ALTER TABLE `shop`.`t` CHANGE COLUMN `b` `a` int NULL DEFAULT NULL";
        assertTrue(held.message().contains(rename), held.message());
        assertTrue(held.commands().get(0).contains("ddl text " + held.id() + " --text '" + rename + "'"));
        assertTrue(held.commands().get(1).contains("DROP COLUMN `b`, ADD COLUMN `a`"));
        tables.restart();
        assertEquals(List.of(), tables.output());
        tables.execute(new DdlDecision(DdlDecision.Verb.TEXT, held().id(), "", false, rename));
        assertEquals(List.of(rename), tables.output());
        undo(1);
        assertEquals(List.of(), tables.output(), "the output has its effect");
        assertEquals(List.of(), tables.items());
    }

    @Test
    void anOperatorDecidesAboutAConstraintThatOthersMayLack() {
        tables.listsHidden(0, hidden(0, "_gho"), "CREATE TABLE `_t_0_gho` (id INT PRIMARY KEY, a INT, UNIQUE (a))");
        tables.alter(1, "ADD COLUMN z INT");
        tables.alter(0, "ADD COLUMN z INT");
        tables.restart();
        tables.output();
        tables.swap(0, "", swap(0, Kind.TAKES_PLACE_UNKNOWN, "_gho", "_del"));
        assertEquals(ErrorCode.DDL_CONFLICT, held().code());
        assertEquals(List.of(), tables.output());
    }

    @Test
    void theListContainsTheDefinitionOfACopyFromBeforeTheStream() {
        tables.alter(0, "ADD COLUMN z INT");
        tables.alter(1, "ADD COLUMN z INT");
        tables.output();
        tables.listsHidden(
                0, hidden(0, "_gho"), "CREATE TABLE `_t_0_gho` (id INT PRIMARY KEY, a BIGINT, z INT, KEY (a))");
        tables.restart();
        tables.swap(0, "", swap(0, Kind.TAKES_PLACE_UNKNOWN, "_gho", "_del"));
        assertEquals(
                List.of("ALTER TABLE `shop`.`t` MODIFY COLUMN `a` bigint NULL DEFAULT NULL, ADD KEY `a` (`a`)"),
                tables.output());
        tables.hide(1, made(1, "MODIFY a BIGINT, ADD KEY (a)"));
        tables.swap(1, "MODIFY COLUMN a BIGINT, ADD KEY (a)", swap(1, Kind.TAKES_PLACE, "_gho", "_del"));
        assertEquals(List.of(), tables.output(), "the output has its effect");
        assertEquals(List.of(), tables.items());
    }

    @Test
    void anIndexFromADifferenceIsExpectedOfMembersThatHaveTheColumns() {
        tables.alter(0, "ADD COLUMN z INT");
        tables.alter(1, "ADD COLUMN z INT");
        tables.listsHidden(0, hidden(0, "_gho"), "CREATE TABLE `x` (id INT PRIMARY KEY, a INT, z INT, KEY (a))");
        tables.output();
        tables.restart();
        tables.swap(0, "", swap(0, Kind.TAKES_PLACE_UNKNOWN, "_gho", "_del"));
        assertEquals(List.of("ALTER TABLE `shop`.`t` ADD KEY `a` (`a`)"), tables.output());
        tables.alter(1, "ADD COLUMN y INT");
        tables.alter(0, "ADD COLUMN y INT");
        assertEquals(List.of("ALTER TABLE t ADD COLUMN y INT"), tables.output());
        assertEquals(List.of("s1:shop.t_1"), tables.item().lacks());
    }

    @Test
    void aCopyWithUnknownAlterationsIsNotGuessed() {
        tables.alter(0, "ADD COLUMN z INT");
        tables.listsHidden(0, hidden(0, "_gho"), "CREATE TABLE `_t_0_gho` (id INT PRIMARY KEY, a BIGINT, z INT)");
        tables.restart();
        tables.output();
        tables.hide(0, new HiddenChange(List.of(HiddenTable.gone(hidden(0, "_gho"))), List.of()));
        tables.swap(0, "", swap(0, Kind.TAKES_PLACE_UNKNOWN, "_gho", "_del"));
        assertEquals(ErrorCode.DDL_UNSUPPORTED, held().code());
        tables.execute(new DdlDecision(DdlDecision.Verb.SKIP, held().id(), "", false));
        assertNothingHeld();
        assertEquals(List.of(), tables.output());
    }

    @Test
    void aCopyWithTheSameDefinitionChangesNothing() {
        tables.alter(0, "ADD COLUMN z INT");
        tables.alter(1, "ADD COLUMN z INT");
        tables.output();
        tables.listsHidden(0, hidden(0, "_gho"), "CREATE TABLE `_t_0_gho` (id INT PRIMARY KEY, a INT, z INT)");
        tables.restart();
        tables.swap(0, "", swap(0, Kind.TAKES_PLACE_UNKNOWN, "_gho", "_del"));
        assertEquals(List.of(), tables.output());
        assertEquals(List.of(), tables.items());
    }

    @Test
    void aLeavingShardRemovesItsHiddenTables() {
        tables.hide(0, made(0, "ADD COLUMN c INT"));
        tables.hide(1, made(1, "ADD COLUMN c INT"));
        tables.schema().leave(0);
        assertEquals(made(1, "ADD COLUMN c INT").tables(), inJournal());
    }
}
