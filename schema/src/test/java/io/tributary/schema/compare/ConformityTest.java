package io.tributary.schema.compare;

import static io.tributary.schema.Statements.tableOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConformityTest {
    private static List<Difference.Kind> kinds(String first, String second) {
        return Conformity.differences(tableOf("CREATE TABLE t (" + first), tableOf("CREATE TABLE u (" + second))
                .stream()
                .map(Difference::kind)
                .toList();
    }

    private static void assertConforms(String first, String second) {
        assertEquals(List.of(), kinds(first, second));
    }

    @Test
    void partsThatRowsDoNotDependOnAreNotCompared() {
        assertConforms(
                "a INT(11)) ENGINE=InnoDB AUTO_INCREMENT=9 COMMENT 'x'", "A INT COMMENT 'y') ROW_FORMAT=COMPACT");
        assertConforms("a INT, KEY k (a))", "a INT)");
        assertConforms("a INT, UNIQUE KEY k (a))", "a INT, CONSTRAINT c UNIQUE (A DESC) INVISIBLE)");
        assertConforms("a INT, CONSTRAINT c CHECK (a>0))", "a INT CHECK ((`a` > 0)))");
        assertConforms(
                "a INT, CONSTRAINT c FOREIGN KEY (a) REFERENCES p (id) ON DELETE RESTRICT)",
                "a INT, FOREIGN KEY (A) REFERENCES s.p (ID))");
        assertConforms("a INT NOT NULL) PARTITION BY HASH (a)", "a INT NOT NULL)");
        assertConforms("a DECIMAL(5,2) DEFAULT 1)", "a DECIMAL(5,2) DEFAULT '1.0')");
        assertConforms("a INT, b INT AS (a+1*2))", "a INT, b INT AS ((`a` + (1 * 2))) VIRTUAL)");
    }

    @Test
    void eachPropertyOfAColumnIsCompared() {
        assertEquals(List.of(Difference.Kind.TYPE), kinds("a INT)", "a BIGINT)"));
        assertEquals(List.of(Difference.Kind.TYPE), kinds("a INT)", "a INT UNSIGNED)"));
        assertEquals(List.of(Difference.Kind.TYPE), kinds("a DATETIME)", "a DATETIME(3))"));
        assertEquals(List.of(Difference.Kind.TYPE), kinds("a ENUM('x'))", "a ENUM('x','y'))"));
        assertEquals(List.of(Difference.Kind.COLLATION), kinds("a CHAR)", "a CHAR COLLATE utf8mb4_bin)"));
        assertEquals(List.of(Difference.Kind.NULLABILITY), kinds("a INT DEFAULT 1)", "a INT NOT NULL DEFAULT 1)"));
        assertEquals(List.of(Difference.Kind.DEFAULT), kinds("a INT)", "a INT DEFAULT 0)"));
        assertEquals(List.of(Difference.Kind.GENERATION), kinds("a INT AS (1))", "a INT AS (2))"));
        assertEquals(List.of(Difference.Kind.GENERATION), kinds("a INT AS (1))", "a INT AS (1) STORED)"));
        assertEquals(List.of(Difference.Kind.AUTO_INCREMENT), kinds("a INT KEY)", "a INT KEY AUTO_INCREMENT)"));
        assertEquals(List.of(Difference.Kind.ON_UPDATE), kinds("a DATETIME)", "a DATETIME ON UPDATE NOW())"));
        assertEquals(List.of(Difference.Kind.VISIBILITY), kinds("a INT)", "a INT INVISIBLE)"));
        assertEquals(List.of(Difference.Kind.COLUMN, Difference.Kind.COLUMN), kinds("a INT, b INT)", "a INT, c INT)"));
    }

    @Test
    void keysAndConstraintsAreCompared() {
        assertEquals(List.of(Difference.Kind.PRIMARY_KEY), kinds("a INT NOT NULL)", "a INT PRIMARY KEY)"));
        assertEquals(
                List.of(Difference.Kind.UNIQUE_KEY, Difference.Kind.UNIQUE_KEY),
                kinds("a CHAR(9), UNIQUE (a))", "a CHAR(9), UNIQUE (a(3)))"));
        assertEquals(
                List.of(Difference.Kind.FOREIGN_KEY), kinds("a INT)", "a INT, FOREIGN KEY (a) REFERENCES p (id))"));
        assertEquals(
                List.of(Difference.Kind.CHECK, Difference.Kind.CHECK),
                kinds("a INT CHECK (a > 0))", "a INT CHECK (a > 1))"));
    }

    @Test
    void anotherOrderIsASeparateDifference() {
        assertEquals(List.of(Difference.Kind.COLUMN_ORDER), kinds("a INT, b INT)", "b INT, a INT)"));
        assertEquals(List.of(Difference.Kind.COLUMN), kinds("a INT, b INT)", "a INT, x INT, b INT)"));
    }

    @Test
    void sameColumnsIgnoresKeys() {
        TableDefinition first = tableOf("CREATE TABLE t (a INT NOT NULL, b INT)");
        assertTrue(Conformity.sameColumns(first, tableOf("CREATE TABLE x.u (A INT NOT NULL, B INT, UNIQUE (a))")));
        assertFalse(Conformity.sameColumns(first, tableOf("CREATE TABLE t (b INT, a INT NOT NULL)")));
    }

    @Test
    void anUnknownCollationConforms() {
        TableDefinition known = tableOf("CREATE TABLE t (a CHAR(3))");
        TableDefinition unknown = new TableDefinition(
                new TableName("s", "t"),
                List.of(known.columns()
                        .get(0)
                        .withType(known.columns().get(0).type().withCollation(""))),
                List.of(),
                TableConstraints.NONE,
                "");
        assertEquals(List.of(), Conformity.differences(known, unknown));
    }
}
