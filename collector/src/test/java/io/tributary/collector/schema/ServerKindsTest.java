package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.ServerVersion;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements and definitions are read in the way of the server that has run them. */
class ServerKindsTest {
    private static final ServerVersion MARIADB = new ServerVersion(true, 101118);
    private static final ServerVersion MYSQL_5_7 = new ServerVersion(false, 50722);
    private static final ServerVersion MYSQL_9 = new ServerVersion(false, 90704);
    private static final String CREATE = "CREATE TABLE t (id INT PRIMARY KEY, v INT, s TEXT) DEFAULT CHARSET=utf8mb4";

    private static TableDefinition output(DefinedTables tables) {
        return tables.changes()
                .definitions()
                .inOutput(DefinedTables.TABLE)
                .orElseThrow(() -> new AssertionError("the table in the output is not known"));
    }

    private static String column(DefinedTables tables, String name) {
        String line = "`" + name + "` ";
        return CreateTable.text(output(tables))
                .lines()
                .map(String::strip)
                .filter(each -> each.startsWith(line))
                .map(each -> each.substring(line.length()).replaceFirst(",$", ""))
                .findFirst()
                .orElse("");
    }

    private static String collation(DefinedTables tables, String name) {
        return output(tables).column(name).orElseThrow().type().collation();
    }

    /** The tables after the statement on both of two shards. */
    private static DefinedTables altered(ServerVersion server, String create, String items) {
        DefinedTables tables = new DefinedTables(server, create, create);
        tables.alter(0, items);
        tables.alter(1, items);
        assertEquals(1, tables.output().size());
        return tables;
    }

    @Test
    void jsonOfMariadbIsText() {
        DefinedTables tables = altered(MARIADB, CREATE, "ADD a JSON");
        assertTrue(column(tables, "a").startsWith("longtext"), () -> column(tables, "a"));
    }

    @Test
    void timesOfMariadbLoseTheirFractionAndAreNotRounded() {
        String items = "ADD a DATETIME NOT NULL DEFAULT '2020-01-01 10:11:12.9'";
        assertTrue(column(altered(MARIADB, CREATE, items), "a").endsWith("'2020-01-01 10:11:12'"));
        assertTrue(column(altered(ServerVersion.STANDARD, CREATE, items), "a").endsWith("'2020-01-01 10:11:13'"));
    }

    @Test
    void utf8mb4WithoutACollationIsThatOfItsServer() {
        String items = "ADD a VARCHAR(10) CHARACTER SET utf8mb4";
        assertEquals("utf8mb4_general_ci", collation(altered(MARIADB, CREATE, items), "a"));
        assertEquals("utf8mb4_general_ci", collation(altered(MYSQL_5_7, CREATE, items), "a"));
        assertEquals("utf8mb4_0900_ai_ci", collation(altered(MYSQL_9, CREATE, items), "a"));
    }

    @Test
    void listedDefinitionsAreReadLikeTheirServer() {
        assertEquals(
                "utf8mb4_general_ci",
                output(new DefinedTables(MYSQL_5_7, CREATE)).collation());
        assertEquals(
                "utf8mb4_0900_ai_ci", output(new DefinedTables(MYSQL_9, CREATE)).collation());
        String json = "CREATE TABLE t (id INT PRIMARY KEY, a JSON)";
        assertTrue(column(new DefinedTables(MARIADB, json), "a").startsWith("longtext"));
    }

    @Test
    void checksOfMariadbHaveItsNames() {
        String create = "CREATE TABLE t (id INT PRIMARY KEY, v INT CHECK (v > 0), CHECK (id > 0))";
        DefinedTables tables = altered(MARIADB, create, "ADD a INT NOT NULL DEFAULT 5, DROP CONSTRAINT CONSTRAINT_1");
        assertEquals(
                List.of("v"), output(tables).checks().stream().map(Check::name).toList());
    }

    @Test
    void aKeyOfMariadbMayContainAWholeText() {
        DefinedTables tables = new DefinedTables(MARIADB, CREATE, CREATE);
        tables.addGenerated(0, "ADD g INT AS (v + 1) PERSISTENT, ADD UNIQUE u (s)");
        tables.addGenerated(1, "ADD g INT AS (v + 1) PERSISTENT, ADD UNIQUE u (s)");
        assertEquals(1, tables.output().size());
        assertTrue(output(tables).keys().stream().anyMatch(key -> key.name().equals("u")));
    }

    @Test
    void versionCommentsAreReadLikeTheServersDo() {
        String items = "ADD a INT /*!90000 NOT NULL */ DEFAULT 7 /*!80023 INVISIBLE */";
        assertTrue(column(altered(MYSQL_9, CREATE, items), "a").contains("NOT NULL"));
        assertFalse(column(altered(ServerVersion.STANDARD, CREATE, items), "a").contains("NOT NULL"));
        assertTrue(column(altered(ServerVersion.STANDARD, CREATE, items), "a").contains("INVISIBLE"));
        assertFalse(column(altered(MARIADB, CREATE, items), "a").contains("INVISIBLE"));
        assertFalse(column(altered(MYSQL_5_7, CREATE, items), "a").contains("INVISIBLE"));
    }

    @Test
    void statementsAreReadLikeTheNewServerAfterAReplacement() {
        DefinedTables tables = new DefinedTables(MYSQL_5_7, CREATE);
        tables.alter(0, "ADD a VARCHAR(10) CHARACTER SET utf8mb4");
        tables.becomes(0, MYSQL_9);
        tables.alter(0, "ADD b VARCHAR(10) CHARACTER SET utf8mb4");
        tables.becomes(0, MARIADB);
        tables.alter(0, "ADD c JSON");
        assertEquals("utf8mb4_general_ci", collation(tables, "a"));
        assertEquals("utf8mb4_0900_ai_ci", collation(tables, "b"));
        assertTrue(column(tables, "c").startsWith("longtext"));
    }

    @Test
    void definitionsAndUnwrittenStatementsOutliveARestart() {
        DefinedTables tables = new DefinedTables(MARIADB, CREATE, CREATE);
        tables.alter(0, "ADD a JSON");
        tables.alter(1, "ADD a JSON");
        tables.addGenerated(0, "ADD g VARCHAR(9) CHARACTER SET utf8mb4 AS ('x') PERSISTENT");
        tables.restart();
        assertTrue(column(tables, "a").startsWith("longtext"), () -> column(tables, "a"));
        tables.addGenerated(1, "ADD g VARCHAR(9) CHARACTER SET utf8mb4 AS ('x') PERSISTENT");
        assertEquals("utf8mb4_general_ci", collation(tables, "g"));
    }
}
