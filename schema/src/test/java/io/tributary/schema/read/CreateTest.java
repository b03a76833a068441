package io.tributary.schema.read;

import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.isRead;
import static io.tributary.schema.Statements.names;
import static io.tributary.schema.Statements.tableOf;
import static io.tributary.schema.Statements.written;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.KeyReference;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CreateTest {
    private static final long ANSI_QUOTES = 4;

    @Test
    void namesMayBeQuotedAndQualified() {
        assertEquals(
                new TableName("s", "t"),
                tableOf("CREATE TABLE IF NOT EXISTS t (a INT);").name());
        assertEquals(
                new TableName("x y", "t`"),
                tableOf("create table `x y`.`t``` (a INT)").name());
        assertEquals(
                List.of("select"),
                names(tableOf("CREATE TABLE \"t\" (\"select\" INT)", SESSION.withSqlMode(ANSI_QUOTES))));
        ReadSession small = new ReadSession(
                "s",
                new SessionVariables(0, true, true),
                SessionCollations.of("", "utf8mb4_0900_ai_ci"),
                new ServerVersion(false, 80031));
        assertEquals(
                new TableName("s", "t"),
                tableOf("CREATE TABLE T (a INT)", small).name());
    }

    @Test
    void keysGetTheServersNames() {
        TableDefinition table =
                tableOf("CREATE TABLE t (a INT UNIQUE, b INT KEY, KEY (a), UNIQUE (a, b), KEY ((a + 1)))");
        assertEquals(
                List.of("PRIMARY", "a", "a_3", "a_2", "functional_index"),
                table.keys().stream().map(TableKey::name).toList());
        assertEquals(
                new KeyPart("", 0, false, "`a` + 1"),
                table.keys().get(4).parts().get(0));
    }

    @Test
    void keysAreInTheServersOrder() {
        TableDefinition table = tableOf(
                "CREATE TABLE t (a INT, b INT NOT NULL, c CHAR(9) NOT NULL, KEY k (b), FULLTEXT f (c), UNIQUE n (a),"
                        + " UNIQUE p (c(3)), UNIQUE u (b), PRIMARY KEY (c), SPATIAL KEY s (b))");
        assertEquals(
                List.of("PRIMARY", "u", "p", "n", "k", "s", "f"),
                table.keys().stream().map(TableKey::name).toList());
    }

    @Test
    void partsHavePrefixesAndDirections() {
        TableDefinition table = tableOf(
                "CREATE TABLE t (a VARCHAR(9), b TEXT, KEY k (a(9), b(7) DESC) USING BTREE COMMENT 'x' INVISIBLE)");
        assertEquals(
                new TableKey(TableKey.Kind.PLAIN, "k", List.of(KeyPart.of("a"), new KeyPart("b", 7, true, "")), false),
                table.keys().get(0));
    }

    @Test
    void foreignKeysAddAnIndexUnlessThereIsOne() {
        String foreign = "CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id) ON DELETE SET NULL)";
        TableDefinition alone = tableOf("CREATE TABLE t (a INT, " + foreign);
        assertEquals("f", alone.keys().get(0).name());
        assertEquals(
                new ForeignKey(
                        "f",
                        List.of("a"),
                        new KeyReference(new TableName("s", "p"), List.of("id"), "SET NULL", "NO ACTION")),
                alone.foreignKeys().get(0));
        TableDefinition served = tableOf("CREATE TABLE t (a INT, b INT, KEY k (a, b), " + foreign);
        assertEquals(List.of("k"), served.keys().stream().map(TableKey::name).toList());
        TableDefinition unnamed = tableOf("CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES o.p (id))");
        assertEquals("t_ibfk_1", unnamed.foreignKeys().get(0).name());
    }

    @Test
    void referencesInAColumnsDefinitionCountFromVersionNineOn() {
        String statement =
                "CREATE TABLE t (a INT REFERENCES p (id) ON DELETE CASCADE, b TIMESTAMP REFERENCES p (t) ON UPDATE NOW())";
        assertEquals(
                0,
                tableOf(statement.replace("ON UPDATE NOW()", "")).foreignKeys().size());
        TableDefinition nine = tableOf(statement, SESSION.ofServer(false, 90100));
        assertEquals(2, nine.foreignKeys().size());
        assertEquals("CURRENT_TIMESTAMP", nine.column("b").orElseThrow().onUpdate());
    }

    @Test
    void checksAreReadInAndOutsideOfColumns() {
        TableDefinition table = tableOf(
                "CREATE TABLE t (a INT CHECK (a > 0), b INT CONSTRAINT c CHECK (b < 9) NOT ENFORCED, CHECK (a <> b))");
        assertEquals(
                List.of(
                        new Check("t_chk_1", "`a` > 0", true),
                        new Check("c", "`b` < 9", false),
                        new Check("t_chk_2", "`a` <> `b`", true)),
                table.checks());
    }

    @Test
    void generatedColumnsAreVirtualOrStored() {
        TableDefinition table =
                tableOf("CREATE TABLE t (a INT, b INT AS (a+1), c INT GENERATED ALWAYS AS (a*2) STORED NOT NULL)");
        assertEquals("int GENERATED ALWAYS AS (`a` + 1) VIRTUAL NULL", written(table, "b"));
        assertEquals("int GENERATED ALWAYS AS (`a` * 2) STORED NOT NULL", written(table, "c"));
    }

    @Test
    void optionsAndPartitionsAreSkipped() {
        TableDefinition table = tableOf(
                "CREATE TABLE t (a INT NOT NULL COMMENT 'x, (y') ENGINE=InnoDB, AUTO_INCREMENT 7 COMMENT='a'"
                        + " DATA DIRECTORY '/x' DEFAULT CHARACTER SET = latin1 COLLATE latin1_bin UNION=(x,y) /*!50100 TABLESPACE `x` */ ROW_FORMAT=DYNAMIC"
                        + " PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10) ENGINE = InnoDB, PARTITION p1 VALUES LESS THAN MAXVALUE)");
        assertEquals(List.of("a"), names(table));
        assertEquals("latin1_bin", table.collation());
    }

    @Test
    void aTableFromAQueryIsReadOnlyIfItsColumnsAreComplete() {
        assertFalse(isRead("CREATE TABLE t AS SELECT 1"));
        assertFalse(isRead("CREATE TABLE t (a INT) SELECT 2 AS b"));
        assertFalse(isRead("CREATE TABLE t (a INT) AS SELECT 2 AS b"));
        assertFalse(isRead("CREATE TABLE t (a INT) PARTITION BY KEY (a) SELECT 2 AS b"));
        assertTrue(isRead("CREATE TABLE t (a INT, b INT NOT NULL DEFAULT '0') START TRANSACTION"));
    }

    @Test
    void likeCopiesTheOtherTable() {
        TableDefinition other = tableOf("CREATE TABLE o (a INT, CHECK (a > 0), FOREIGN KEY (a) REFERENCES p (id))");
        TableDefinition copy = DefinitionReader.create(
                        "CREATE TABLE x.t LIKE o",
                        SESSION,
                        name -> name.equals(new TableName("s", "o")) ? Optional.of(other) : Optional.empty())
                .orElseThrow();
        assertEquals(other.columns(), copy.columns());
        assertEquals(other.keys(), copy.keys());
        assertEquals(List.of(), copy.foreignKeys());
        assertEquals("t_chk_1", copy.checks().get(0).name());
        assertFalse(isRead("CREATE TABLE t (LIKE o)"));
    }

    @Test
    void otherStatementsAreNotRead() {
        for (String statement : List.of(
                "",
                "CREATE",
                "CREATE TABLE",
                "CREATE TABLE t",
                "CREATE TABLE t (",
                "CREATE TABLE t ()",
                "CREATE TABLE t (a)",
                "CREATE TABLE t (a INT",
                "CREATE TABLE t (a NOSUCH)",
                "CREATE TABLE t (a INT, a INT)",
                "CREATE TABLE t (a INT, KEY (b))",
                "CREATE TABLE t (a INT) NO SUCH OPTION",
                "CREATE TEMPORARY TABLE t (a INT)",
                "CREATE VIEW t AS SELECT 1")) {
            assertFalse(isRead(statement), statement);
        }
    }
}
