package io.tributary.schema.read;

import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.tableOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.write.CreateTable;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Statements that MariaDB interprets differently from MySQL, as 10.11 shows the result; and one rule of newer MySQL. */
class MariadbTest {
    private static final ReadSession MARIADB = SESSION.ofServer(true, 101118);
    private static final int MYSQL_9_7 = 90704;

    private static TableDefinition after(String create, String... alters) {
        return after(MARIADB, create, alters);
    }

    private static TableDefinition after(ReadSession session, String create, String... alters) {
        TableDefinition table = tableOf(create, session);
        for (String alter : alters) {
            table = DefinitionReader.alter(table, alter, session).orElseThrow();
        }
        return table;
    }

    private static List<String> checks(TableDefinition table) {
        return table.checks().stream().map(Check::name).sorted().toList();
    }

    private static List<String> keys(TableDefinition table) {
        return table.keys().stream()
                .map(key -> key.name() + " " + key.parts().get(0).prefix())
                .toList();
    }

    private static String column(String definition) {
        String text = CreateTable.text(tableOf("CREATE TABLE t (a " + definition + ")", MARIADB));
        return text.lines().skip(1).findFirst().orElseThrow().strip().replaceFirst("^`a` ", "");
    }

    @Test
    void aCheckOfAColumnIsAPartOfIt() {
        String create = "CREATE TABLE t (a INT CHECK (a > 1), b INT, CHECK (b > 1), CHECK (b < 9))";
        assertEquals(List.of("CONSTRAINT_1", "CONSTRAINT_2", "a"), checks(after(create)));
        assertEquals(List.of("CONSTRAINT_1", "CONSTRAINT_2"), checks(after(create, "ALTER TABLE t MODIFY a BIGINT")));
        assertEquals(
                List.of("CONSTRAINT_1", "CONSTRAINT_2", "z"),
                checks(after(create, "ALTER TABLE t RENAME COLUMN a TO z")));
        assertEquals(
                List.of("CONSTRAINT_1", "CONSTRAINT_2", "a"),
                checks(after(create, "ALTER TABLE t DROP CONSTRAINT IF EXISTS a")));
        assertEquals(
                List.of("CONSTRAINT_1", "CONSTRAINT_2", "CONSTRAINT_3", "a"),
                checks(after(create, "ALTER TABLE t ADD CHECK (b <> 5)")));
    }

    @Test
    void aCheckIsDroppedWithAllOfItsColumns() {
        String create = "CREATE TABLE t (a INT, b INT, c INT, CHECK (a + b > 0), CHECK (1 < 2))";
        assertEquals(List.of("CONSTRAINT_1"), checks(after(create, "ALTER TABLE t DROP c")));
        assertEquals(List.of(), checks(after(create, "ALTER TABLE t DROP a, DROP b")));
    }

    @Test
    void newerMysqlDropsAConstantCheckWithAnyColumnAndOlderOneKeepsIt() {
        String create = "CREATE TABLE t (a INT, b INT, KEY f ((a + 1)), CHECK (1 < 2))";
        ReadSession newer = SESSION.ofServer(false, MYSQL_9_7);
        assertEquals(List.of(), checks(after(newer, create, "ALTER TABLE t DROP b")));
        assertEquals(List.of(), checks(after(newer, create, "DROP INDEX f ON t"))); // it has a hidden column
        assertEquals(1, checks(after(SESSION, create, "ALTER TABLE t DROP b")).size());
        TableDefinition table = tableOf(create, SESSION);
        assertEquals(
                Optional.empty(),
                DefinitionReader.alter(table, "ALTER TABLE t DROP b", SESSION.ofServer(false, 80400)));
    }

    @Test
    void longKeysGetPrefixesAndLongUniqueKeysUseHashes() {
        TableDefinition table = after("CREATE TABLE t (a TEXT NOT NULL, b TINYTEXT, c VARCHAR(4000), p POINT,"
                + " KEY a (a), KEY b (b), KEY c (c), KEY p (p), UNIQUE h (a), UNIQUE s (b(20)))");
        assertEquals(List.of("s 20", "h 0", "a 768", "b 255", "c 768", "p 25"), keys(table));
        TableKey hash = table.keys().get(1);
        assertTrue(table.isByHash(hash));
        assertEquals(Optional.empty(), table.rowKey());
    }

    @Test
    void defaultsAreConstantsIfPossible() {
        assertEquals("int NULL DEFAULT '3'", column("INT DEFAULT (2.5)"));
        assertEquals("int NULL DEFAULT (abs(-(3)))", column("INT DEFAULT abs(-3)"));
        assertEquals("datetime NULL DEFAULT '2020-01-01 10:11:12'", column("DATETIME DEFAULT '2020-01-01 10:11:12.9'"));
        assertEquals(
                "datetime NOT NULL DEFAULT '0000-00-00 00:00:00' ON UPDATE CURRENT_TIMESTAMP",
                column("DATETIME NOT NULL ON UPDATE NOW()"));
    }

    @Test
    void itsTypesAndTheDefaultsOfItsTextsAreReadFromTheWrittenText() {
        TableDefinition table = after("CREATE TABLE t (a UUID, b INET6, c INET4, d TEXT DEFAULT 'x', e JSON)");
        String text = CreateTable.text(table);
        assertEquals(
                Optional.of(table), DefinitionReader.create(text, SESSION, other -> Optional.<TableDefinition>empty()));
    }

    @Test
    void existingItemsAreNotAddedAgain() {
        TableDefinition table = after(
                "CREATE TABLE t (a INT, KEY k (a), CONSTRAINT c CHECK (a > 1))",
                "ALTER TABLE t ADD KEY IF NOT EXISTS k (a), ADD CONSTRAINT IF NOT EXISTS c CHECK (a > 2)",
                "CREATE OR REPLACE INDEX k ON t (a)",
                "CREATE INDEX IF NOT EXISTS k ON t (a)",
                "ALTER TABLE t RENAME COLUMN IF EXISTS no TO nothing, ALTER COLUMN IF EXISTS no DROP DEFAULT");
        assertEquals(List.of("k 0"), keys(table));
        assertEquals("`a` > 1", table.checks().get(0).expression());
    }

    @Test
    void aCopyKeepsTheNamesOfItsChecks() {
        TableDefinition source = after("CREATE TABLE t (a INT, CHECK (a > 1))");
        TableDefinition copy = DefinitionReader.create("CREATE TABLE u LIKE t", MARIADB, other -> Optional.of(source))
                .orElseThrow();
        assertEquals(List.of("CONSTRAINT_1"), checks(copy));
        assertEquals(new TableName(MARIADB.defaultSchema(), "u"), copy.name());
    }
}
