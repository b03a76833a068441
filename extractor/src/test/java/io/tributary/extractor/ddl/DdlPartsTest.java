package io.tributary.extractor.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlMode;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When each part of a statement is written, its effect on which tables, and its text. */
class DdlPartsTest {
    private static TableName logical(TableName name) {
        boolean isMember = name.schema().equals("d") && name.table().matches("o_\\d");
        return isMember ? new TableName("shop", "o") : name;
    }

    private static final OutputNames NAMES = new OutputNames(
            DdlPartsTest::logical, "filtered"::equals, new HiddenTables(HiddenTables.TOOLS)::hides, false);

    private static DdlStatement.Mapped map(String text) {
        return DdlStatement.parse(text, "d", SqlMode.DEFAULT).map(NAMES).orElseThrow();
    }

    private static String texts(DdlStatement.Mapped mapped) {
        return mapped.statements().stream().map(DdlStatement.Written::text).collect(Collectors.joining("; "));
    }

    private static String shown(Ddl.Part part) {
        String targets = part.targets().stream()
                .map(target -> target.effect() + " " + target.logical())
                .collect(Collectors.joining(" "));
        return part.kind() + (part.reshapes() ? "*" : "") + (part.conditional() ? "?" : "") + " " + targets;
    }

    private static String parts(DdlStatement.Mapped mapped) {
        return mapped.ddl().parts().stream().map(DdlPartsTest::shown).collect(Collectors.joining("; "));
    }

    /** The part as text. A star: rows before and after it may differ in their columns; a question mark: IF [NOT] EXISTS. */
    @Test
    void validationMakesNoDifferenceToAnExchange() {
        String exchange = "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u";
        assertEquals(
                map(exchange).ddl().parts(),
                map(exchange + " WITHOUT VALIDATION").ddl().parts());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            CREATE TABLE t (a INT)                                   | NEW* CREATES d.t
            CREATE TABLE IF NOT EXISTS t (a INT)                     | NEW*? CREATES d.t
            CREATE TABLE t LIKE u                                    | NEW* CREATES d.t
            CREATE OR REPLACE TABLE t (a INT)                        | WAIT* REMOVES d.t CREATES d.t
            CREATE SCHEMA s                                          | NEW* CREATES s
            CREATE DATABASE IF NOT EXISTS s CHARSET utf8mb4          | NEW*? CREATES s
            ALTER SCHEMA s COLLATE utf8mb4_bin                       | EARLY CHANGES s
            ALTER DATABASE DEFAULT CHARACTER SET = latin1            | EARLY CHANGES d
            DROP SCHEMA IF EXISTS s                                  | WAIT*? REMOVES s
            TRUNCATE t                                               | WAIT EMPTIES d.t
            TRUNCATE TABLE s.t                                       | WAIT EMPTIES s.t
            DROP TABLE t                                             | WAIT* REMOVES d.t
            DROP TABLE IF EXISTS t, s.u CASCADE                      | WAIT*? REMOVES d.t; WAIT*? REMOVES s.u
            RENAME TABLE t TO u                                      | FORWARD RENAMES d.t BECOMES d.u
            RENAME TABLE t TO s.u                                    | FORWARD RENAMES d.t BECOMES s.u
            RENAME TABLE IF EXISTS t NOWAIT TO u                     | FORWARD? RENAMES d.t BECOMES d.u
            RENAME TABLE t TO u, v TO t                              | WAIT* RENAMES d.t BECOMES d.u RENAMES d.v BECOMES d.t
            ALTER TABLE t RENAME TO u                                | FORWARD RENAMES d.t BECOMES d.u
            ALTER TABLE t RENAME u, ENGINE=InnoDB                    | FORWARD RENAMES d.t BECOMES d.u
            ALTER TABLE t ADD c INT, RENAME AS u                     | FORWARD* RENAMES d.t BECOMES d.u
            ALTER TABLE t ADD COLUMN c INT                           | FORWARD* CHANGES d.t
            ALTER TABLE t ADD c INT FIRST                            | FORWARD* CHANGES d.t
            ALTER TABLE t ADD c INT AFTER a, ALGORITHM=INSTANT       | FORWARD* CHANGES d.t
            ALTER TABLE t ADD c INT NOT NULL DEFAULT 7               | FORWARD* CHANGES d.t
            ALTER TABLE t ADD COLUMN IF NOT EXISTS c INT             | FORWARD*? CHANGES d.t
            ALTER TABLE t ADD (c INT, d INT)                         | FORWARD* CHANGES d.t
            ALTER TABLE t DROP COLUMN c                              | FORWARD* CHANGES d.t
            ALTER TABLE t DROP c                                     | FORWARD* CHANGES d.t
            ALTER TABLE t MODIFY c BIGINT                            | FORWARD* CHANGES d.t
            ALTER TABLE t MODIFY COLUMN v VARCHAR(300)               | FORWARD* CHANGES d.t
            ALTER TABLE t MODIFY v VARCHAR(10) CHARACTER SET utf8mb4 | FORWARD* CHANGES d.t
            ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4           | FORWARD* CHANGES d.t
            ALTER TABLE t RENAME COLUMN a TO b                       | FORWARD* CHANGES d.t
            ALTER TABLE t CHANGE a b INT                             | FORWARD* CHANGES d.t
            ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a | FORWARD* CHANGES d.t
            ALTER TABLE t MODIFY a INT AFTER b                       | FORWARD* CHANGES d.t
            ALTER TABLE t MODIFY e ENUM('x','y','z')                 | FORWARD* CHANGES d.t
            ALTER TABLE t ADD g INT AS (a + 1) STORED                | LATE* CHANGES d.t
            ALTER TABLE t ADD COLUMN IF NOT EXISTS g INT GENERATED ALWAYS AS (a + 1) VIRTUAL COMMENT 'AS (' AFTER a | LATE*? CHANGES d.t
            ALTER TABLE t ADD c VARCHAR(9) DEFAULT (CAST(a AS CHAR)) | FORWARD* CHANGES d.t
            ALTER TABLE t ADD (c INT, g INT AS (c))                  | FORWARD* CHANGES d.t
            ALTER TABLE t ADD g INT AS (a), ALGORITHM=INPLACE        | LATE* CHANGES d.t
            ALTER TABLE t ADD c INT, ADD g INT AS (c), ADD INDEX i (g), ADD INDEX j (c) | FORWARD* CHANGES d.t; LATE* CHANGES d.t
            ALTER TABLE t DROP g, ADD g INT AS (a + 2)               | FORWARD* CHANGES d.t; LATE* CHANGES d.t
            ALTER TABLE t ADD g INT AS (a) AFTER a, ADD c INT        | FORWARD* CHANGES d.t; LATE* CHANGES d.t
            ALTER TABLE t ADD g INT AS (a), ADD c INT                | FORWARD* CHANGES d.t
            ALTER TABLE t ADD g INT AS (a), ADD c INT AFTER g        | FORWARD* CHANGES d.t
            ALTER TABLE t ADD g INT AS (a) AFTER a, MODIFY b INT AFTER a | FORWARD* CHANGES d.t
            ALTER TABLE t MODIFY g INT AS (a + 2) STORED             | FORWARD* CHANGES d.t
            ALTER TABLE t ALTER COLUMN c SET INVISIBLE               | FORWARD* CHANGES d.t
            ALTER TABLE t ADD c INT UNIQUE                           | FORWARD* CHANGES d.t
            ALTER TABLE t ADD c INT PRIMARY KEY                      | FORWARD* CHANGES d.t
            ALTER TABLE t ADD c INT REFERENCES u (id)                | FORWARD* CHANGES d.t
            ALTER TABLE t FROBNICATE c                               | FORWARD* CHANGES d.t
            ALTER TABLE t ADD SYSTEM VERSIONING                      | FORWARD* CHANGES d.t
            ALTER TABLE t ADD INDEX i (a)                            | EARLY CHANGES d.t
            ALTER TABLE t ADD KEY (a), ADD FULLTEXT f (b), ADD SPATIAL KEY s (g) | EARLY CHANGES d.t
            CREATE INDEX i ON t (a)                                  | EARLY CHANGES d.t
            CREATE FULLTEXT INDEX i ON t (a)                         | EARLY CHANGES d.t
            CREATE INDEX IF NOT EXISTS i ON t (a)                    | EARLY? CHANGES d.t
            DROP INDEX i ON t                                        | EARLY CHANGES d.t
            ALTER TABLE t DROP INDEX i                               | EARLY CHANGES d.t
            ALTER TABLE t DROP KEY IF EXISTS i                       | EARLY? CHANGES d.t
            ALTER TABLE t DROP PRIMARY KEY                           | EARLY CHANGES d.t
            ALTER TABLE t DROP FOREIGN KEY f                         | EARLY CHANGES d.t
            ALTER TABLE t DROP CHECK c                               | EARLY CHANGES d.t
            ALTER TABLE t DROP CONSTRAINT c                          | EARLY CHANGES d.t
            ALTER TABLE t ALTER c SET DEFAULT 1                      | EARLY CHANGES d.t
            ALTER TABLE t ALTER COLUMN c DROP DEFAULT                | EARLY CHANGES d.t
            ALTER TABLE t ALTER INDEX i INVISIBLE                    | EARLY CHANGES d.t
            ALTER TABLE t ALTER CHECK c NOT ENFORCED                 | EARLY CHANGES d.t
            ALTER TABLE t ALTER CHECK c ENFORCED                     | LATE CHANGES d.t
            ALTER TABLE t RENAME INDEX i TO j                        | EARLY CHANGES d.t
            ALTER TABLE t RENAME KEY i TO j                          | EARLY CHANGES d.t
            ALTER TABLE t ENGINE=InnoDB                              | EARLY CHANGES d.t
            ALTER TABLE t COMMENT 'x', ROW_FORMAT=DYNAMIC STATS_PERSISTENT 1 | EARLY CHANGES d.t
            ALTER TABLE t DEFAULT CHARSET = utf8mb4 COLLATE utf8mb4_bin      | EARLY CHANGES d.t
            ALTER TABLE t AUTO_INCREMENT = 5                         | EARLY CHANGES d.t
            ALTER TABLE t ORDER BY a, b DESC, FORCE                  | EARLY CHANGES d.t
            ALTER TABLE t DISABLE KEYS                               | EARLY CHANGES d.t
            ALTER TABLE t FORCE, ALGORITHM=INPLACE, LOCK=NONE        | EARLY CHANGES d.t
            ALTER TABLE t ADD PARTITION (PARTITION p VALUES LESS THAN (9)) | EARLY CHANGES d.t
            ALTER TABLE t REORGANIZE PARTITION p, q INTO (PARTITION r VALUES LESS THAN (9)) | EARLY CHANGES d.t
            ALTER TABLE t COALESCE PARTITION 2                       | EARLY CHANGES d.t
            ALTER TABLE t REMOVE PARTITIONING                        | EARLY CHANGES d.t
            ALTER TABLE t PARTITION BY HASH(a) PARTITIONS 4          | EARLY CHANGES d.t
            ALTER TABLE t ENGINE=InnoDB PARTITION BY RANGE(a) (PARTITION p VALUES LESS THAN (9), PARTITION q VALUES LESS THAN MAXVALUE) | EARLY CHANGES d.t
            ALTER TABLE t DROP PARTITION p, q                        | WAIT EMPTIES_PARTITIONS d.t
            ALTER TABLE t ALGORITHM=INPLACE, TRUNCATE PARTITION ALL  | WAIT EMPTIES_PARTITIONS d.t
            ALTER TABLE t EXCHANGE PARTITION p WITH TABLE s.u        | WAIT EMPTIES_PARTITIONS d.t EMPTIES_PARTITIONS s.u
            ALTER TABLE t DISCARD PARTITION p TABLESPACE             | WAIT EMPTIES_PARTITIONS d.t
            ALTER TABLE t IMPORT TABLESPACE                          | WAIT EMPTIES_PARTITIONS d.t
            ALTER TABLE t ADD INDEX i (a), DISCARD TABLESPACE        | WAIT EMPTIES_PARTITIONS d.t
            ALTER TABLE t ADD PRIMARY KEY (a)                        | LATE CHANGES d.t
            ALTER TABLE t ADD UNIQUE (a), LOCK=NONE                  | LATE CHANGES d.t
            ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (b)       | LATE CHANGES d.t
            ALTER TABLE t ADD CHECK (a > 1)                          | LATE CHANGES d.t
            ALTER TABLE t ADD CONSTRAINT c UNIQUE (a)                | LATE CHANGES d.t
            CREATE UNIQUE INDEX i ON t (a)                           | LATE CHANGES d.t
            ALTER TABLE t ADD c INT, ADD UNIQUE (c)                  | FORWARD* CHANGES d.t; LATE CHANGES d.t
            ALTER TABLE t DROP INDEX i, ADD UNIQUE i (a)             | EARLY CHANGES d.t; LATE CHANGES d.t
            ALTER TABLE t ADD UNIQUE (a), RENAME TO u                | FORWARD RENAMES d.t BECOMES d.u; LATE CHANGES d.u
            ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (a, b)   | EARLY CHANGES d.t
            ALTER TABLE t ADD id INT AUTO_INCREMENT, ADD PRIMARY KEY (id) | FORWARD* CHANGES d.t
            ALTER TABLE `t` /*!80000 ADD UNIQUE (a), */ ADD b INT    | FORWARD* CHANGES d.t; LATE CHANGES d.t
            ALTER TABLE t DROP PRIMARY KEY, ADD CONSTRAINT u UNIQUE (id) | EARLY CHANGES d.t
            ALTER TABLE t DROP PRIMARY KEY, ADD CHECK (a > 1)        | EARLY CHANGES d.t; LATE CHANGES d.t
            ALTER ONLINE TABLE IF EXISTS t WAIT 5 ADD IF NOT EXISTS c INT | FORWARD*? CHANGES d.t
            ALTER TABLE t ADD CONSTRAINT IF NOT EXISTS c CHECK (a > 1) | LATE? CHANGES d.t
            ALTER TABLE t CONVERT PARTITION p TO TABLE u             | WAIT EMPTIES_PARTITIONS d.t
            ALTER TABLE t DROP SYSTEM VERSIONING                     | FORWARD* CHANGES d.t
            CREATE UNIQUE INDEX IF NOT EXISTS i ON t (a) NOWAIT      | LATE? CHANGES d.t
            DROP TABLE IF EXISTS t WAIT 5                            | WAIT*? REMOVES d.t
            CREATE SEQUENCE s START WITH 1                           | TEXT*
            CREATE TABLE ` a ``b` (`x,` INT, "y" INT)                | NEW* CREATES d. a `b
            ALTER TABLE t ADD `c``,d` INT DEFAULT '\\'', ADD UNIQUE (`c``,d`) | FORWARD* CHANGES d.t; LATE CHANGES d.t
            ALTER TABLE t                                            | EARLY CHANGES d.t
            ALTER TABLE o_1 ADD c INT                                | FORWARD* CHANGES shop.o
            CREATE VIEW v AS SELECT 1                                | TEXT CHANGES d.v
            DROP VIEW IF EXISTS v, s.w                               | TEXT? CHANGES d.v CHANGES s.w
            CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1 | TEXT CHANGES d.tr
            DROP PROCEDURE s.p                                       | TEXT CHANGES s.p
            ALTER EVENT e ENABLE                                     | TEXT CHANGES d.e
            FROBNICATE t                                             | TEXT*
            """)
    void knowsWhenAndWhat(String text, String expected) {
        assertEquals(expected.strip(), parts(map(text)).strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            ALTER TABLE o_1 ADD c INT, /* x */ ADD UNIQUE u (c), DROP d | ALTER TABLE `o` ADD c INT, DROP d; ALTER TABLE `o` ADD UNIQUE u (c)
            ALTER TABLE d.t ADD UNIQUE (a),\tADD c INT DEFAULT 'x, y', LOCK=NONE | ALTER TABLE d.t ADD c INT DEFAULT 'x, y'; ALTER TABLE `t` ADD UNIQUE (a)
            ALTER TABLE t /*!80000 ADD UNIQUE (a), */ ADD b INT         | ALTER TABLE t ADD b INT; ALTER TABLE `t` ADD UNIQUE (a)
            ALTER TABLE t ADD UNIQUE (a), RENAME TO s.u                 | ALTER TABLE t RENAME TO s.u; ALTER TABLE `s`.`u` ADD UNIQUE (a)
            ALTER TABLE t ADD c INT, ADD UNIQUE (c) PARTITION BY KEY(c) | ALTER TABLE t ADD c INT; ALTER TABLE `t` ADD UNIQUE (c) PARTITION BY KEY(c)
            ALTER TABLE o_1 ADD c INT, ADD g INT AS (c), ADD KEY (g), ADD KEY (c) | ALTER TABLE `o` ADD c INT, ADD KEY (c); ALTER TABLE `o` ADD g INT AS (c), ADD KEY (g)
            ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (a)         | ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (a)
            ALTER TABLE o_1 DROP FOREIGN KEY o_1_ibfk_2                 | ALTER TABLE `o` DROP FOREIGN KEY `o_ibfk_2`
            CREATE TABLE o_2 (a INT, CONSTRAINT `o_2_chk_1` CHECK (a > 1)) | CREATE TABLE `o` (a INT, CONSTRAINT `o_chk_1` CHECK (a > 1))
            CREATE TABLE t (a INT) TABLESPACE ts ENGINE=InnoDB          | CREATE TABLE t (a INT) ENGINE=InnoDB
            CREATE TABLE t (a INT) /*!50100 TABLESPACE `x` */ ENGINE=InnoDB | CREATE TABLE t (a INT) /*!50100 */ ENGINE=InnoDB
            CREATE TABLE t (tablespace INT) TABLESPACE = ts STORAGE DISK, COMMENT 'TABLESPACE x' | CREATE TABLE t (tablespace INT), COMMENT 'TABLESPACE x'
            ALTER TABLE t ADD c INT, TABLESPACE ts                      | ALTER TABLE t ADD c INT
            ALTER TABLE t TABLESPACE = ts, ADD c INT                    | ALTER TABLE t  ADD c INT
            CREATE TABLE t (a INT) START TRANSACTION                    | CREATE TABLE t (a INT)
            CREATE TABLE t (a INT) ENGINE=InnoDB START TRANSACTION      | CREATE TABLE t (a INT) ENGINE=InnoDB
            CREATE TABLE t (a INT) START TRANSACTION ENGINE=InnoDB /* x */ | CREATE TABLE t (a INT) ENGINE=InnoDB /* x */
            CREATE TABLE t (a INT) ENGINE=InnoDB, START TRANSACTION     | CREATE TABLE t (a INT) ENGINE=InnoDB
            DROP TABLE t, filtered.u, _t_gho                            | DROP TABLE `t`
            DROP TABLE IF EXISTS s.t, u /* generated by server */       | DROP TABLE IF EXISTS `s`.`t`; DROP TABLE IF EXISTS `u`
            DROP TABLE `t` /* generated by server */                    | DROP TABLE `t` /* generated by server */
            RENAME TABLE t TO filtered.t                                | DROP TABLE `t`
            ALTER TABLE t RENAME TO filtered.t                          | DROP TABLE `t`
            RENAME TABLE t TO filtered.t, u TO t                        | DROP TABLE `t`; RENAME TABLE `u` TO `t`
            RENAME TABLE t TO _x_old, u TO t, _x_old TO u               | RENAME TABLE t TO _x_old, u TO t, _x_old TO u
            RENAME TABLE o_1 TO o_2, t TO u                             | RENAME TABLE `d`.`t` TO `d`.`u`
            ALTER TABLE o_1 RENAME TO o_2, ADD c INT                    | ALTER TABLE `o`  ADD c INT
            """)
    void writesEachPartWithLogicalNames(String text, String expected) {
        assertEquals(expected.strip(), texts(map(text)).strip());
    }

    @Test
    void dropsTablesOneByOneWithoutForeignKeyChecks() {
        assertTrue(
                map("DROP TABLE t, u").statements().stream().allMatch(DdlStatement.Written::withoutForeignKeyChecks));
        assertFalse(map("DROP TABLE t").statements().get(0).withoutForeignKeyChecks());
    }

    @Test
    void returnsTheTableWhoseTablespaceWasLeftOut() {
        assertEquals(
                "shop.o",
                map("CREATE TABLE o_1 (a INT) TABLESPACE ts").tablespace().toString());
        assertTrue(DdlStatement.parse("ALTER TABLE t TABLESPACE ts, LOCK=NONE", "d", SqlMode.DEFAULT)
                .map(NAMES)
                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"RENAME TABLE o_1 TO o_2", "ALTER TABLE o_1 RENAME TO o_2", "RENAME TABLE _a_new TO _a_old"})
    void writesNothingIfNoLogicalNameChanges(String text) {
        assertTrue(DdlStatement.parse(text, "d", SqlMode.DEFAULT).map(NAMES).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RENAME TABLE filtered.t TO t",
                "RENAME TABLE a TO b, filtered.t TO a",
                "RENAME TABLE t TO filtered.x, u TO t, filtered.x TO u",
                "ALTER TABLE filtered.t RENAME TO d.t",
                "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE filtered.u"
            })
    void refusesStatementsThatAddRowsThatWereNeverRead(String text) {
        TributaryException e = assertThrows(TributaryException.class, () -> map(text));
        assertEquals(ErrorCode.DDL_UNSUPPORTED, e.code());
        assertTrue(e.getMessage().contains("filtered."), e.getMessage());
    }

    @Test
    void targetsHaveTheirPhysicalName() {
        Ddl.Target target =
                map("ALTER TABLE o_1 ADD c INT").ddl().parts().get(0).targets().get(0);
        assertEquals("d.o_1", target.physical().toString());
        assertEquals("shop.o", target.logical().toString());
    }

    @Test
    void foldsNamesIfTheShardDoes() {
        OutputNames folding = new OutputNames(DdlPartsTest::logical, "filtered"::equals, table -> false, true);
        DdlStatement.Mapped mapped = DdlStatement.parse("ALTER TABLE D.O_1 ADD c INT", "D", SqlMode.DEFAULT)
                .map(folding)
                .orElseThrow();
        assertEquals("ALTER TABLE `shop`.`o` ADD c INT", texts(mapped));
        assertEquals(
                "d.o_1", mapped.ddl().parts().get(0).targets().get(0).physical().toString());
        assertEquals(
                map("ALTER TABLE o_1 ADD c INT").ddl().parts().get(0).id(),
                mapped.ddl().parts().get(0).id());
        assertEquals("ALTER TABLE D.O_1 ADD c INT", texts(map("ALTER TABLE D.O_1 ADD c INT")));
    }

    @Test
    void showsOnlyTheVerbOfAccountStatements() {
        DdlStatement.Mapped mapped = map("CREATE USER a IDENTIFIED BY 'secret'");
        assertEquals("CREATE USER", mapped.ddl().text());
        assertEquals("CREATE USER a IDENTIFIED BY 'secret'", texts(mapped));
        assertEquals(
                "CREATE SERVER",
                map("CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (PASSWORD 'x')")
                        .ddl()
                        .text());
        assertEquals(List.of(), mapped.ddl().parts().get(0).targets());
        String federated = "CREATE TABLE t (a INT) ENGINE=FEDERATED CONNECTION = 'mysql://u:p@h/d/t'";
        assertEquals("CREATE TABLE", map(federated).ddl().text());
        String column = "ALTER TABLE t ADD password VARCHAR(60) DEFAULT 'x'";
        assertEquals(column, map(column).ddl().text());
    }

    @Test
    void showsAllItsParts() {
        assertEquals(
                "ALTER TABLE t ADD c INT; ALTER TABLE `t` ADD UNIQUE (c)",
                map("ALTER TABLE t ADD c INT, ADD UNIQUE (c)").ddl().text());
    }
}
