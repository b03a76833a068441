package io.tributary.schema.read;

import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.after;
import static io.tributary.schema.Statements.isRead;
import static io.tributary.schema.Statements.names;
import static io.tributary.schema.Statements.tableOf;
import static io.tributary.schema.Statements.written;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlterTest {
    private static final String ABC = "CREATE TABLE t (a INT, b INT, c INT)";

    @Test
    void columnsAreAddedInTheirPositions() {
        assertEquals(
                List.of("f", "a", "d", "b", "c", "e"),
                names(after(ABC, "ALTER TABLE t ADD COLUMN d INT AFTER a, ADD e INT, ADD f INT FIRST")));
        assertEquals(
                List.of("a", "x", "y", "b", "c"),
                names(after(ABC, "ALTER TABLE t ADD x INT AFTER a, ADD y INT AFTER x")));
        assertEquals(List.of("a", "b", "c", "d", "e"), names(after(ABC, "ALTER TABLE t ADD (d INT, e INT)")));
    }

    @Test
    void columnsSwapTheirNames() {
        TableDefinition table = after(
                "CREATE TABLE t (a INT, b CHAR(3), KEY k (a, b))",
                "ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        assertEquals(List.of("b", "a"), names(table));
        assertEquals("int NULL DEFAULT NULL", written(table, "b"));
        assertEquals(
                List.of(KeyPart.of("b"), KeyPart.of("a")), table.keys().get(0).parts());
        assertEquals(
                List.of("b", "a"),
                names(after("CREATE TABLE t (a INT, b INT)", "ALTER TABLE t CHANGE a b INT, CHANGE b a INT")));
    }

    @Test
    void aChangedColumnMovesAndIsRenamed() {
        TableDefinition table = after(ABC, "ALTER TABLE t CHANGE COLUMN a z VARCHAR(5) NOT NULL AFTER c");
        assertEquals(List.of("b", "c", "z"), names(table));
        assertEquals("varchar(5) NOT NULL", written(table, "z"));
        assertEquals(List.of("c", "a", "b"), names(after(ABC, "ALTER TABLE t MODIFY c INT FIRST")));
        assertEquals(
                List.of("a", "b", "c"),
                names(after(ABC, "ALTER TABLE t MODIFY B INT").named(new TableName("s", "x"))).stream()
                        .map(name -> name.toLowerCase(java.util.Locale.ROOT))
                        .toList());
    }

    @Test
    void aModifiedColumnOfThePrimaryKeyStaysNotNull() {
        assertEquals(
                "bigint NOT NULL",
                written(after("CREATE TABLE t (a INT PRIMARY KEY)", "ALTER TABLE t MODIFY a BIGINT"), "a"));
    }

    @Test
    void droppedColumnsLeaveTheirKeys() {
        TableDefinition table = after(
                "CREATE TABLE t (a INT, b INT, c INT, KEY k (a, b), KEY l (b), CHECK (b > 0))",
                "ALTER TABLE t DROP COLUMN b");
        assertEquals(List.of("a", "c"), names(table));
        assertEquals(List.of(KeyPart.of("a")), table.keys().get(0).parts());
        assertEquals(1, table.keys().size());
        assertEquals(List.of(), table.checks());
    }

    @Test
    void aColumnIsDroppedAndAddedInOneStatement() {
        assertEquals("text NULL DEFAULT NULL", written(after(ABC, "ALTER TABLE t DROP b, ADD b TEXT"), "b"));
    }

    @Test
    void prefixesOfKeysFitTheirColumns() {
        String before = "CREATE TABLE t (a VARCHAR(20), KEY k (a(10)))";
        assertEquals(10, prefix(after(before, "ALTER TABLE t MODIFY a TEXT")));
        assertEquals(0, prefix(after(before, "ALTER TABLE t MODIFY a VARCHAR(10)")));
        assertEquals(0, prefix(after(before, "ALTER TABLE t MODIFY a VARCHAR(5)")));
        assertEquals(0, prefix(after(before, "ALTER TABLE t MODIFY a INT")));
    }

    private static int prefix(TableDefinition table) {
        return table.keys().get(0).parts().get(0).prefix();
    }

    @Test
    void keysAreAddedDroppedAndRenamed() {
        TableDefinition table = after(
                ABC,
                "ALTER TABLE t ADD UNIQUE KEY u (a), ADD INDEX (b), ADD PRIMARY KEY (c)",
                "CREATE INDEX i ON t (a, b DESC) ALGORITHM=INPLACE LOCK=NONE",
                "DROP INDEX u ON t",
                "ALTER TABLE t RENAME INDEX i TO j, ALTER INDEX j INVISIBLE, DROP PRIMARY KEY, DROP KEY b");
        assertEquals(List.of("j"), table.keys().stream().map(TableKey::name).toList());
        TableDefinition hidden = after("CREATE TABLE t (a INT, KEY k (a))", "ALTER TABLE t ALTER INDEX k INVISIBLE");
        assertFalse(hidden.keys().get(0).visible());
    }

    @Test
    void defaultsAndVisibilityAreSet() {
        TableDefinition table = after(
                "CREATE TABLE t (a INT NOT NULL, b INT DEFAULT 3, c INT, d INT)",
                "ALTER TABLE t ALTER COLUMN a SET DEFAULT '7', ALTER b DROP DEFAULT, ALTER c SET INVISIBLE, ALTER d SET DEFAULT (a + 1)");
        assertEquals("int NOT NULL DEFAULT '7'", written(table, "a"));
        assertEquals("int NULL DEFAULT NULL", written(table, "b"));
        assertEquals("int NULL DEFAULT NULL /*!80023 INVISIBLE */", written(table, "c"));
        assertEquals("int NULL DEFAULT (`a` + 1)", written(table, "d"));
    }

    @Test
    void conversionEnlargesTexts() {
        TableDefinition table = after(
                "CREATE TABLE t (a TINYTEXT, b TEXT, c MEDIUMTEXT, d VARCHAR(9), e VARCHAR(3) COLLATE utf8mb4_bin, f BLOB, g JSON) CHARSET latin1",
                "ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4");
        assertEquals("utf8mb4_0900_ai_ci", table.collation());
        assertEquals("text NULL DEFAULT NULL", written(table, "a"));
        assertEquals("mediumtext NULL DEFAULT NULL", written(table, "b"));
        assertEquals("longtext NULL DEFAULT NULL", written(table, "c"));
        assertEquals("varchar(9) NULL DEFAULT NULL", written(table, "d"));
        assertEquals("varchar(3) NULL DEFAULT NULL", written(table, "e"));
        assertEquals("blob NULL DEFAULT NULL", written(table, "f"));
        TableDefinition back = after(
                "CREATE TABLE t (a TINYTEXT, b TEXT) CHARSET utf8mb4", "ALTER TABLE t CONVERT TO CHARACTER SET latin1");
        assertEquals("tinytext NULL DEFAULT NULL", written(back, "a"));
    }

    @Test
    void conversionToBinaryMakesBinaryTypes() {
        TableDefinition table = after(
                "CREATE TABLE t (a CHAR(3), b VARCHAR(3), c TEXT, d ENUM('x')) CHARSET latin1",
                "ALTER TABLE t CONVERT TO CHARACTER SET binary");
        assertEquals("binary(3) NULL DEFAULT NULL", written(table, "a"));
        assertEquals("varbinary(3) NULL DEFAULT NULL", written(table, "b"));
        assertEquals("blob NULL DEFAULT NULL", written(table, "c"));
        assertEquals("enum('x') NULL DEFAULT NULL", written(table, "d"));
    }

    @Test
    void anotherDefaultCharacterSetIsForNewColumnsOnly() {
        TableDefinition table = after(
                "CREATE TABLE t (a CHAR(3)) CHARSET latin1",
                "ALTER TABLE t CHARSET utf8mb4 ENGINE=InnoDB, ADD b CHAR(3)");
        assertEquals("char(3) CHARACTER SET latin1 COLLATE latin1_swedish_ci NULL DEFAULT NULL", written(table, "a"));
        assertEquals("char(3) NULL DEFAULT NULL", written(table, "b"));
    }

    @Test
    void constraintsAreAddedAndDropped() {
        TableDefinition table = after(
                "CREATE TABLE t (a INT, b INT)",
                "ALTER TABLE t ADD CHECK (a > 0), ADD CONSTRAINT c CHECK (b > 0), ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id)",
                "ALTER TABLE t ALTER CHECK c NOT ENFORCED, DROP CHECK t_chk_1");
        assertEquals(1, table.checks().size());
        assertFalse(table.checks().get(0).enforced());
        assertEquals(
                List.of(),
                after(
                                "CREATE TABLE t (a INT, CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id))",
                                "ALTER TABLE t DROP FOREIGN KEY f")
                        .foreignKeys());
        assertEquals(
                List.of(),
                after("CREATE TABLE t (a INT, CONSTRAINT u UNIQUE (a))", "ALTER TABLE t DROP CONSTRAINT u")
                        .keys());
    }

    @Test
    void theTableIsRenamedAndItsConstraintsWithIt() {
        TableDefinition table = after("CREATE TABLE t (a INT CHECK (a > 0))", "ALTER TABLE t RENAME TO x.u, ADD b INT");
        assertEquals(new TableName("x", "u"), table.name());
        assertEquals("u_chk_1", table.checks().get(0).name());
        assertEquals(List.of("a", "b"), names(table));
    }

    @Test
    void itemsThatChangeNoDefinitionAreReadToo() {
        TableDefinition table = tableOf(ABC);
        for (String items : List.of(
                "ENGINE=InnoDB",
                "FORCE",
                "ORDER BY a, b DESC, c",
                "DISABLE KEYS",
                "ALGORITHM=INPLACE, LOCK=NONE",
                "COMMENT 'x', ENGINE InnoDB ROW_FORMAT=DYNAMIC",
                "ADD PARTITION (PARTITION p3 VALUES LESS THAN (30))",
                "DROP PARTITION p1, p2",
                "TRUNCATE PARTITION ALL",
                "REORGANIZE PARTITION p0 INTO (PARTITION a VALUES LESS THAN (5), PARTITION b VALUES LESS THAN (9))",
                "EXCHANGE PARTITION p WITH TABLE x WITHOUT VALIDATION",
                "COALESCE PARTITION 2",
                "REMOVE PARTITIONING",
                "PARTITION BY HASH (a) PARTITIONS 4",
                "ENGINE=InnoDB PARTITION BY HASH (a)",
                "DISCARD TABLESPACE",
                "WITHOUT VALIDATION")) {
            assertEquals(
                    table,
                    DefinitionReader.alter(table, "ALTER TABLE t " + items, SESSION)
                            .orElseThrow(),
                    items);
        }
    }

    @Test
    void mariadbSkipsItemsWithIfExists() {
        ReadSession mariadb = SESSION.ofServer(true, 101100);
        TableDefinition table = tableOf(ABC, mariadb);
        for (String items : List.of(
                "ADD COLUMN IF NOT EXISTS a TEXT",
                "DROP COLUMN IF EXISTS z",
                "MODIFY COLUMN IF EXISTS z INT",
                "DROP INDEX IF EXISTS k",
                "CHANGE COLUMN IF EXISTS z y INT")) {
            assertEquals(
                    table,
                    DefinitionReader.alter(table, "ALTER TABLE IF EXISTS t " + items, mariadb)
                            .orElseThrow(),
                    items);
        }
    }

    @Test
    void mariadbRenamesColumnsInExpressions() {
        ReadSession mariadb = SESSION.ofServer(true, 101100);
        TableDefinition table = tableOf("CREATE TABLE t (a INT, b INT AS (a + 1), CHECK (a > 0))", mariadb);
        TableDefinition renamed = DefinitionReader.alter(table, "ALTER TABLE t RENAME COLUMN a TO z", mariadb)
                .orElseThrow();
        assertEquals("int GENERATED ALWAYS AS (`z` + 1) VIRTUAL NULL", written(renamed, "b"));
        assertEquals("`z` > 0", renamed.checks().get(0).expression());
    }

    @Test
    void statementsThatContradictTheDefinitionAreNotRead() {
        TableDefinition table = tableOf(ABC);
        for (String items : List.of(
                "DROP COLUMN z",
                "MODIFY z INT",
                "CHANGE z y INT",
                "RENAME COLUMN z TO y",
                "ALTER z DROP DEFAULT",
                "ADD d INT AFTER z",
                "ADD a INT",
                "ADD KEY (z)",
                "DROP KEY z",
                "RENAME KEY z TO y",
                "ADD SYSTEM VERSIONING",
                "NO SUCH ITEM")) {
            assertFalse(isRead(table, "ALTER TABLE t " + items), items);
        }
        assertFalse(isRead(table, "DROP TABLE t"));
    }
}
