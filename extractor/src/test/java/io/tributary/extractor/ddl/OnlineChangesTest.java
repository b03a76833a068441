package io.tributary.extractor.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.OnlineChanges.Outcome;
import io.tributary.extractor.ddl.OnlineChanges.Sourced;
import io.tributary.schema.sql.SqlMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The results of statements of online schema change tools: the same if the state was restored before each statement. */
class OnlineChangesTest {
    private static final String VITESS = "_vt_vrp_6ace8bcef73211ea87e9f875a4d24e90_20200915120410_";
    private static final String VITESS_HOLD = "_vt_hld_6ace8bcef73211ea87e9f875a4d24e90_20200915120410_";

    private final HiddenTables hidden = new HiddenTables(HiddenTables.TOOLS);
    private final OnlineChanges changes = new OnlineChanges(hidden);
    private final OutputNames names =
            new OutputNames(OnlineChangesTest::logical, "filtered"::equals, hidden::hides, false);
    private final List<Ddl.Part> parts = new ArrayList<>();
    private final Map<TableName, HiddenTable> journal = new LinkedHashMap<>();
    private HiddenChange change = HiddenChange.NONE;

    private static TableName logical(TableName name) {
        boolean isMember = name.schema().equals("d") && name.table().matches("o_\\d");
        return isMember ? new TableName("shop", "o") : name;
    }

    /** The statements that are written. */
    private String read(String text) {
        return read(text, SqlMode.DEFAULT);
    }

    private String read(String text, SqlMode mode) {
        StatementSession session = new StatementSession(mode, StandardCharsets.UTF_8, ByteBuffer.allocate(0));
        DdlStatement statement = DdlStatement.parse(text, "d", mode);
        OnlineChanges restored = new OnlineChanges(hidden);
        restored.restore(journal.values().stream()
                .map(each -> HiddenForm.decode(HiddenForm.encode(each)))
                .toList());
        List<String> texts;
        try {
            Outcome outcome = changes.read(statement, session, names);
            change = outcome.change();
            texts = texts(outcome);
        } catch (TributaryException e) {
            assertThrows(TributaryException.class, () -> restored.read(statement, session, names));
            throw e;
        }
        Outcome again = restored.read(statement, session, names);
        assertEquals(change, again.change());
        assertEquals(texts, texts(again));
        change.tables().forEach(each -> {
            if (each.role() == HiddenTable.Role.GONE) {
                journal.remove(each.name());
            } else {
                journal.put(each.name(), each);
            }
        });
        return String.join("; ", texts);
    }

    private List<String> texts(Outcome outcome) {
        List<String> texts = new ArrayList<>();
        parts.clear();
        for (Sourced sourced : outcome.statements()) {
            sourced.statement().map(names).ifPresent(mapped -> {
                mapped.statements().forEach(statement -> texts.add(statement.text()));
                parts.addAll(mapped.ddl().parts());
            });
        }
        return texts;
    }

    /** The table that replaced another one and whose statements are not known, and the replaced table. */
    private String byDifference(String text) {
        read(text);
        HiddenChange.Rename swap = change.unknownSwap();
        return swap == null ? "none" : swap.from() + " " + swap.to() + " " + swap.logical();
    }

    private String refused(String text) {
        TributaryException e = assertThrows(TributaryException.class, () -> read(text));
        assertEquals(ErrorCode.DDL_UNSUPPORTED, e.code());
        return e.getMessage();
    }

    private List<String> ids(String text) {
        return DdlStatement.parse(text, "d", SqlMode.DEFAULT).map(names).orElseThrow().ddl().parts().stream()
                .map(Ddl.Part::id)
                .toList();
    }

    private void assertSame(String plain) {
        assertEquals(ids(plain), parts.stream().map(Ddl.Part::id).toList());
    }

    @Test
    void ghOst() {
        assertEquals("", read("create /* gh-ost */ table `d`.`_t_ghc` (id bigint auto_increment)"));
        assertEquals("", read("create /* gh-ost */ table `d`.`_t_gho` like `d`.`t`"));
        assertEquals("", read("alter /* gh-ost */ table `d`.`_t_gho` ADD COLUMN c INT, ADD UNIQUE u (c)"));
        assertEquals("", read("alter /* gh-ost */ table `d`.`_t_gho` AUTO_INCREMENT=17"));
        assertEquals(
                "", read("create /* gh-ost */ table `d`.`_t_del` (id int auto_increment primary key) comment='magic'"));
        assertEquals("", read("drop /* gh-ost */ table if exists `d`.`_t_del`"));
        assertEquals(
                "ALTER TABLE `d`.`t` ADD COLUMN c INT; ALTER TABLE `t` ADD UNIQUE u (c)",
                read("rename /* gh-ost */ table `d`.`t` to `d`.`_t_del`, `d`.`_t_gho` to `d`.`t`"));
        assertSame("ALTER TABLE t ADD c INT, ADD UNIQUE (c)");
        assertEquals("", read("drop /* gh-ost */ table if exists `d`.`_t_ghc`"));
        assertEquals("", read("drop /* gh-ost */ table if exists `d`.`_t_del`"));
        assertEquals("d._t_gho d.t d.t", byDifference("rename table t to _t_del, _t_gho to t"));
    }

    @Test
    void ghOstInTwoSteps() {
        read("CREATE TABLE _t_gho LIKE t");
        read("ALTER TABLE _t_gho DROP c");
        assertEquals("", read("alter /* gh-ost */ table `d`.`t` rename `_t_del`"));
        assertEquals("", read("alter /* gh-ost */ table `d`.`_t_del` rename `t`"), "reverted");
        assertEquals("", read("alter /* gh-ost */ table `d`.`t` rename `_t_del`"));
        assertEquals("ALTER TABLE `d`.`t` DROP c", read("alter /* gh-ost */ table `d`.`_t_gho` rename `t`"));
        assertSame("ALTER TABLE t DROP COLUMN c");
    }

    @Test
    void ptOnlineSchemaChange() {
        assertEquals("", read("CREATE TABLE `d`.`_o_1_new` (\n  `id` int NOT NULL\n) ENGINE=InnoDB"));
        assertEquals("", read("ALTER TABLE `d`.`_o_1_new` ADD KEY (id)"));
        assertEquals(
                "", read("CREATE TRIGGER `pt_osc_d_o_1_del` AFTER DELETE ON `d`.`o_1` FOR EACH ROW DELETE FROM x"));
        assertEquals(
                "ALTER TABLE `shop`.`o` ADD KEY (id)",
                read("RENAME TABLE `d`.`o_1` TO `d`.`_o_1_old`, `d`.`_o_1_new` TO `d`.`o_1`"));
        assertSame("ALTER TABLE o_2 ADD INDEX i (id)");
        assertEquals("", read("DROP TABLE IF EXISTS `d`.`_o_1_old`"));
        assertEquals("", read("DROP TRIGGER IF EXISTS `d`.`pt_osc_d_o_1_del`"));
        assertEquals("DROP TRIGGER IF EXISTS `d`.`mine`", read("DROP TRIGGER IF EXISTS `d`.`mine`"));
        assertEquals("", read("CREATE TRIGGER `copied` AFTER DELETE ON `d`.`_o_1_new` FOR EACH ROW DELETE FROM x"));
    }

    @Test
    void writesNothingForACopyWithTheSameShape() {
        read("CREATE TABLE _t_new LIKE t");
        assertEquals("", read("RENAME TABLE t TO _t_old, _t_new TO t"));
    }

    @Test
    void vitess() {
        read("CREATE TABLE `" + VITESS + "` LIKE `t`");
        read("ALTER TABLE `" + VITESS + "` MODIFY a BIGINT, ADD UNIQUE (b)");
        assertEquals(
                "ALTER TABLE `d`.`t` MODIFY a BIGINT; ALTER TABLE `t` ADD UNIQUE (b)",
                read("RENAME TABLE `t` TO `" + VITESS_HOLD + "`, `" + VITESS + "` TO `t`, `" + VITESS_HOLD + "` TO `"
                        + VITESS + "`"));
        assertSame("ALTER TABLE t MODIFY a BIGINT, ADD UNIQUE (b)");
    }

    @Test
    void spirit() {
        read("CREATE TABLE _t_new LIKE t");
        read("CREATE TABLE _t_chkpnt (id INT)");
        read("ALTER TABLE _t_new ENGINE=InnoDB");
        assertEquals("ALTER TABLE `d`.`t` ENGINE=InnoDB", read("RENAME TABLE t TO _t_old, _t_new TO t"));
    }

    @Test
    void severalStatementsAndIndexesAreKeptInTheirOrder() {
        read("CREATE TABLE _t_new LIKE t");
        read("ALTER TABLE _t_new ADD c INT PARTITION BY HASH(id)");
        read("CREATE UNIQUE INDEX i USING BTREE ON _t_new (c) ALGORITHM=INPLACE");
        read("DROP INDEX j ON _t_new");
        read("ALTER TABLE _t_new ADD FOREIGN KEY (c) REFERENCES o_1 (id), LOCK=SHARED");
        assertEquals(
                "ALTER TABLE `d`.`t` ADD c INT PARTITION BY HASH(id); ALTER TABLE `d`.`t` ADD UNIQUE INDEX i USING BTREE (c);"
                        + " ALTER TABLE `d`.`t` DROP INDEX j; ALTER TABLE `d`.`t` ADD FOREIGN KEY (c) REFERENCES `o` (id)",
                read("RENAME TABLE t TO _t_old, _t_new TO t"));
    }

    @Test
    void readsInTheModeOfTheSessionThatAltered() {
        SqlMode ansi = new SqlMode(true, true);
        read("CREATE TABLE \"_t_new\" LIKE \"t\"", ansi);
        read("ALTER TABLE \"_t_new\" ADD \"c,d\" INT", ansi);
        assertEquals("ALTER TABLE `d`.`t` ADD \"c,d\" INT", read("RENAME TABLE t TO _t_old, _t_new TO t"));
        assertSame("ALTER TABLE t ADD `c,d` INT");
    }

    @Test
    void aTableThatWasCreatedAgainBeginsWithoutStatements() {
        read("CREATE TABLE _t_new LIKE t");
        read("ALTER TABLE _t_new ADD c INT");
        read("DROP TABLE _t_new");
        assertEquals("d._t_new d.t d.t", byDifference("RENAME TABLE t TO _t_old, _t_new TO t"));
        read("CREATE TABLE _t_new LIKE t");
        assertEquals("", read("RENAME TABLE t TO _t_old, _t_new TO t"));
    }

    @Test
    void refusesAnUnknownSwap() {
        refused("RENAME TABLE t TO _t_old");
        refused("RENAME TABLE _t_new TO u");
        refused("ALTER TABLE t RENAME TO _t_del");
        read("CREATE TABLE _t_new LIKE t");
        refused("DROP TABLE t");
        refused("RENAME TABLE a TO b, t TO _t_old, _t_new TO t");
    }

    @Test
    void tablesThatAreSwappedBackChangeByDifference() {
        read("CREATE TABLE _o_1_gho LIKE o_1");
        read("ALTER TABLE _o_1_gho ADD c INT");
        read("RENAME TABLE o_1 TO _o_1_del, _o_1_gho TO o_1");
        assertEquals(
                List.of(
                        HiddenTable.gone(new TableName("d", "_o_1_gho")),
                        HiddenTable.other(new TableName("d", "_o_1_del"))),
                change.tables());
        assertEquals("d._o_1_del d.o_1 shop.o", byDifference("RENAME TABLE o_1 TO _o_1_gho, _o_1_del TO o_1"));
        assertEquals("", read("ALTER TABLE _o_1_gho DROP c"));
        assertEquals(List.of(HiddenTable.gone(new TableName("d", "_o_1_gho"))), change.tables());
    }

    @Test
    void aDroppedSchemaRemovesItsCopies() {
        read("CREATE TABLE e._t_gho LIKE d.t");
        assertEquals("DROP DATABASE e", read("DROP DATABASE e"));
        journal.clear(); // as the journal does
        assertEquals("e._t_gho e.t e.t", byDifference("RENAME TABLE e.t TO e._t_del, e._t_gho TO e.t"));
    }

    @Test
    void aTableMayBeDroppedIfGhOstLeftItsTables() {
        read("CREATE TABLE _t_gho LIKE t");
        assertEquals("DROP TABLE t", read("DROP TABLE t"));
    }

    @Test
    void doesNotChangeOtherStatements() {
        read("CREATE TABLE _t_new LIKE t");
        for (String text : List.of(
                "ALTER TABLE t ADD c INT",
                "DROP TABLE u",
                "TRUNCATE t",
                "CREATE INDEX i ON t (a)",
                "RENAME TABLE t TO u",
                "CREATE VIEW v AS SELECT 1",
                "CREATE DATABASE x")) {
            assertEquals(text, read(text));
        }
        assertEquals("DROP TABLE `u`", read("DROP TABLE u, _t_new"));
        assertEquals("", read("TRUNCATE _t_new"));
        assertEquals("", read("RENAME TABLE _a_new TO _a_old"));
    }
}
