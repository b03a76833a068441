package io.tributary.schema.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.schema.Statements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of a statement for a table that has other columns than the one on which it was run. */
class ColumnPositionsTest {
    private static final String TABLE = "CREATE TABLE t (a INT, b INT";

    private static String text(String ofOutput, String ofWanted, String items) {
        return ColumnPositions.text(
                "ALTER TABLE " + items,
                Statements.SESSION,
                Statements.tableOf(TABLE + ofOutput + ")"),
                Statements.tableOf(TABLE + ofWanted + ")"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            , y INT | , g INT AS (a)        | t ADD g INT AS (a)                         | t ADD g INT AS (a) AFTER `b`
            , y INT | , g INT AS (a)        | s.t ADD COLUMN g INT AS (a) /* x */        | s.t ADD COLUMN g INT AS (a) AFTER `b` /* x */
            , y INT | , g INT AS (a), h INT AS (a) | t ADD g INT AS (a), ADD h INT AS (a) | t ADD g INT AS (a) AFTER `b`, ADD h INT AS (a) AFTER `g`
                    | , g INT AS (a), y INT | t ADD y INT AFTER g                        | t ADD y INT AFTER `b`
                    | , g INT AS (a), y INT | t ADD IF NOT EXISTS `y` INT AFTER g, ADD INDEX (a) | t ADD IF NOT EXISTS `y` INT AFTER `b`, ADD INDEX (a)
            , c INT | , g INT AS (a), c INT | t CHANGE c c INT AFTER g                   | t CHANGE c c INT AFTER `b`
            """)
    void aColumnIsPlacedAfterTheSameColumn(String ofOutput, String ofWanted, String items, String expected) {
        String own = ofOutput == null ? "" : ofOutput;
        assertEquals("ALTER TABLE " + expected.strip(), text(own, ofWanted, items.strip()));
    }

    @Test
    void aColumnBeforeAllOthersIsPlacedFirst() {
        assertEquals(
                "ALTER TABLE t ADD y INT FIRST",
                ColumnPositions.text(
                        "ALTER TABLE t ADD y INT AFTER g",
                        Statements.SESSION,
                        Statements.tableOf("CREATE TABLE t (a INT)"),
                        Statements.tableOf("CREATE TABLE t (g INT AS (1), y INT, a INT)")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            , y INT | , y INT, g INT AS (a) | t ADD g INT AS (a)
            , y INT | , g INT AS (a)        | t ADD g INT AS (a) AFTER b
            , y INT | , g INT AS (a)        | t DROP COLUMN z
            , y INT | , g INT AS (a)        | t ADD g INT AS (a) FIRST, FROBNICATE
            """)
    void otherTextsAreNotChanged(String ofOutput, String ofWanted, String items) {
        assertEquals("ALTER TABLE " + items.strip(), text(ofOutput, ofWanted, items.strip()));
    }
}
