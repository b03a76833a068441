package io.tributary.extractor.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tributary.common.value.Ddl;
import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which statements have the same identity, and which do not. */
class DdlIdentityTest {
    private static TableName logical(TableName name) {
        boolean isMember = name.schema().equals("d") && name.table().matches("o_\\d");
        return isMember ? new TableName("shop", "o") : name;
    }

    private static List<String> ids(String text, String schema, SqlMode mode) {
        return DdlStatement.parse(text, schema, mode)
                .map(OutputNames.of(DdlIdentityTest::logical))
                .orElseThrow()
                .ddl()
                .parts()
                .stream()
                .map(Ddl.Part::id)
                .toList();
    }

    private static List<String> ids(String text) {
        return ids(text, "d", SqlMode.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            ALTER TABLE t ADD COLUMN c INT                  | alter  table `t` add `C` int /* x */
            ALTER TABLE t ADD c INT                         | ALTER TABLE d.t ADD c INT -- x
            ALTER TABLE t ADD c INT                         | /*!50000 ALTER */ TABLE t /*!80000 ADD c INT */
            ALTER TABLE t ADD c INT                         | ALTER TABLE t ADD c INT COMMENT 'x', ALGORITHM=INSTANT, LOCK=DEFAULT
            ALTER TABLE t ADD c INT                         | ALTER TABLE t ADD COLUMN IF NOT EXISTS c INTEGER, ENGINE=InnoDB
            ALTER TABLE t ADD c INT                         | ALTER IGNORE TABLE t COMMENT='x', ADD c INT, AUTO_INCREMENT 8
            ALTER TABLE t MODIFY c INT                      | ALTER TABLE t CHANGE COLUMN c C INT
            ALTER TABLE t DROP c                            | ALTER TABLE t DROP COLUMN IF EXISTS c RESTRICT
            ALTER TABLE t ALTER c SET DEFAULT 'it''s'       | ALTER TABLE t ALTER COLUMN c SET DEFAULT "it's"
            ALTER TABLE t ALTER c SET DEFAULT 'it\\'s'      | ALTER TABLE t ALTER c SET DEFAULT 'it''s'
            ALTER TABLE t RENAME TO u                       | RENAME TABLE t TO u
            ALTER TABLE t RENAME u                          | ALTER TABLE t RENAME AS d.u
            ALTER TABLE t ADD INDEX i (a)                   | CREATE INDEX j ON t (a)
            ALTER TABLE t ADD INDEX i (a)                   | ALTER TABLE t ADD KEY (A ASC) USING BTREE COMMENT 'x'
            ALTER TABLE t ADD INDEX i (a, b(10))            | CREATE INDEX i USING BTREE ON d.t (a, b(10)) ALGORITHM=INPLACE LOCK=NONE
            ALTER TABLE t ADD UNIQUE (a)                    | CREATE UNIQUE INDEX i ON t (a)
            ALTER TABLE t ADD UNIQUE (a)                    | ALTER TABLE t ADD CONSTRAINT c UNIQUE KEY u (a)
            ALTER TABLE t ADD FULLTEXT (a)                  | CREATE FULLTEXT INDEX i ON t (a)
            ALTER TABLE t ADD PRIMARY KEY (a)               | ALTER TABLE t ADD CONSTRAINT PRIMARY KEY USING BTREE (a)
            ALTER TABLE t ADD CHECK (a > 1)                 | ALTER TABLE t ADD CONSTRAINT c CHECK (a > 1)
            ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (b) | ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY f (a) REFERENCES d.u (b)
            ALTER TABLE t DROP INDEX i                      | DROP INDEX I ON t
            ALTER TABLE t DROP KEY i                        | DROP INDEX `i` ON `d`.`t` LOCK=NONE
            ALTER TABLE t DROP PRIMARY KEY                  | DROP INDEX `PRIMARY` ON t
            ALTER TABLE o_1 ADD c INT                       | ALTER TABLE d.o_2 ADD c INT
            ALTER TABLE o_1 DROP FOREIGN KEY o_1_ibfk_1     | ALTER TABLE o_2 DROP FOREIGN KEY `o_2_ibfk_1`
            ALTER TABLE t ENGINE=InnoDB                     | ALTER TABLE t ENGINE MyISAM
            ALTER TABLE t DEFAULT CHARSET=utf8mb4           | ALTER TABLE t CHARACTER SET utf8mb4
            CREATE TABLE t (a INT)                          | create table if not exists `d`.`t` ( `A` int ) ENGINE=InnoDB AUTO_INCREMENT=7 COMMENT='x'
            CREATE TABLE t (a INT, KEY k (a))               | CREATE TABLE t (a INT COMMENT 'x', INDEX (a) USING BTREE)
            CREATE TABLE t (a INT, UNIQUE KEY k (a))        | CREATE TABLE t (a INT, CONSTRAINT c UNIQUE (a))
            CREATE TABLE t (a INT CONSTRAINT x CHECK (a > 1)) | CREATE TABLE t (a INT CHECK (a > 1))
            CREATE TABLE t (a INT) DEFAULT CHARSET=utf8mb4  | CREATE TABLE t (a INT) /*!50100 TABLESPACE ts */ CHARACTER SET utf8mb4
            CREATE TABLE t (a INT) PARTITION BY HASH(a)     | CREATE TABLE t (a INT) ENGINE=x, STATS_PERSISTENT=0 PARTITION BY HASH (`a`)
            CREATE TABLE t (a INT) START TRANSACTION        | CREATE TABLE t (a INT)
            CREATE TABLE t LIKE u                           | CREATE TABLE t (LIKE d.u)
            CREATE DATABASE s                               | CREATE SCHEMA IF NOT EXISTS `s` /* x */
            CREATE DATABASE s DEFAULT CHARSET utf8mb4       | CREATE SCHEMA s CHARACTER SET = utf8mb4
            DROP DATABASE s                                 | DROP SCHEMA IF EXISTS s
            ALTER SCHEMA d COLLATE utf8mb4_bin              | ALTER DATABASE DEFAULT COLLATE = utf8mb4_bin
            TRUNCATE t                                      | truncate table d.t
            DROP TABLE t                                    | DROP TABLES IF EXISTS d.`t` CASCADE /* generated by server */
            RENAME TABLE t TO u                             | RENAME TABLE d.t TO `u`
            ALTER TABLE t ADD c INT                         | ALTER TABLE t ADD c INT ;
            ALTER TABLE t ADD CHECK (a > 1)                 | ALTER TABLE t ADD CONSTRAINT IF NOT EXISTS c CHECK (a > 1)
            ALTER TABLE t ADD c INT                         | ALTER ONLINE TABLE t NOWAIT ADD c INT
            CREATE VIEW v AS SELECT 1                       | create  view v as select /* x */ 1
            DROP VIEW v                                     | DROP VIEW IF EXISTS v
            """)
    void theSame(String one, String other) {
        assertEquals(ids(one), ids(other));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            ALTER TABLE t ADD c INT                         | ALTER TABLE u ADD c INT
            ALTER TABLE t ADD c INT                         | ALTER TABLE T ADD c INT
            ALTER TABLE t ADD c INT                         | ALTER TABLE s.t ADD c INT
            ALTER TABLE t ADD c INT                         | ALTER TABLE t ADD c BIGINT
            ALTER TABLE t ADD c INT                         | ALTER TABLE t ADD c INT FIRST
            ALTER TABLE t ADD c INT                         | ALTER TABLE t ADD c INT, ADD e INT
            ALTER TABLE t ADD c INT DEFAULT 1               | ALTER TABLE t ADD c INT DEFAULT 2
            ALTER TABLE t ADD c INT DEFAULT 1               | ALTER TABLE t ADD c INT DEFAULT '1'
            ALTER TABLE t ALTER c SET DEFAULT 'a'           | ALTER TABLE t ALTER c SET DEFAULT 'A'
            ALTER TABLE t MODIFY c INT                      | ALTER TABLE t CHANGE b c INT
            ALTER TABLE t ADD INDEX i (a)                   | ALTER TABLE t ADD INDEX i (b)
            ALTER TABLE t ADD INDEX i (a)                   | ALTER TABLE t ADD UNIQUE i (a)
            ALTER TABLE t ADD INDEX i (a)                   | ALTER TABLE t ADD INDEX i (a DESC)
            ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (b) | ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (b) ON DELETE CASCADE
            ALTER TABLE t DROP INDEX i                      | ALTER TABLE t DROP INDEX j
            ALTER TABLE t DROP INDEX i                      | ALTER TABLE t DROP i
            ALTER TABLE t DROP FOREIGN KEY i                | ALTER TABLE t DROP FOREIGN KEY j
            ALTER TABLE t ENGINE=InnoDB                     | ALTER TABLE t COMMENT 'x'
            ALTER TABLE t DROP PARTITION p                  | ALTER TABLE t TRUNCATE PARTITION p
            ALTER TABLE t DROP PARTITION p                  | ALTER TABLE t DROP PARTITION p, q
            CREATE TABLE t (a INT)                          | CREATE TABLE t (a INT, b INT)
            CREATE TABLE t (a INT, KEY (a))                 | CREATE TABLE t (a INT)
            CREATE TABLE t (a INT) DEFAULT CHARSET=utf8mb4  | CREATE TABLE t (a INT) DEFAULT CHARSET=latin1
            CREATE TABLE t (a INT)                          | CREATE OR REPLACE TABLE t (a INT)
            CREATE TABLE t (a INT)                          | DROP TABLE t
            TRUNCATE t                                      | DROP TABLE t
            CREATE DATABASE s                               | CREATE DATABASE s CHARSET latin1
            CREATE DATABASE s                               | DROP DATABASE s
            RENAME TABLE t TO u                             | RENAME TABLE u TO t
            CREATE VIEW v AS SELECT 1                       | CREATE VIEW v AS SELECT 2
            CREATE USER a IDENTIFIED BY 'x'                 | CREATE USER a IDENTIFIED BY 'y'
            """)
    void different(String one, String other) {
        assertNotEquals(ids(one), ids(other));
    }

    @Test
    void theDefaultSchemaCountsOnlyForNamesWithoutOne() {
        assertEquals(ids("ALTER TABLE s.t ADD c INT"), ids("ALTER TABLE s.t ADD c INT", "x", SqlMode.DEFAULT));
        assertNotEquals(ids("ALTER TABLE t ADD c INT"), ids("ALTER TABLE t ADD c INT", "x", SqlMode.DEFAULT));
        assertNotEquals(
                ids("CREATE VIEW s.v AS SELECT * FROM t"),
                ids("CREATE VIEW s.v AS SELECT * FROM t", "x", SqlMode.DEFAULT));
        assertEquals(ids("DROP USER a"), ids("DROP USER a", "x", SqlMode.DEFAULT));
        assertNotEquals(ids("GRANT SELECT ON t TO a"), ids("GRANT SELECT ON t TO a", "x", SqlMode.DEFAULT));
        assertEquals(ids("GRANT SELECT ON s.t TO a"), ids("GRANT SELECT ON s.t TO a", "x", SqlMode.DEFAULT));
    }

    @Test
    void readsQuotesByTheSqlMode() {
        SqlMode ansi = new SqlMode(true, true);
        SqlMode noEscapes = new SqlMode(false, false);
        assertEquals(ids("ALTER TABLE `t` ADD `c` INT"), ids("ALTER TABLE \"t\" ADD \"c\" INT", "d", ansi));
        assertEquals(
                ids("ALTER TABLE t ALTER c SET DEFAULT 'a\\\\b'"),
                ids("ALTER TABLE t ALTER c SET DEFAULT 'a\\b'", "d", noEscapes));
    }

    @Test
    void sixteenHexDigits() {
        assertEquals(true, ids("DROP TABLE t").get(0).matches("[0-9a-f]{16}"));
    }

    @Test
    void eachPartOfASplitStatementHasTheIdentityOfTheSameStatementAlone() {
        assertEquals(
                List.of(
                        ids("ALTER TABLE t ADD c INT").get(0),
                        ids("ALTER TABLE t ADD UNIQUE (c)").get(0)),
                ids("ALTER TABLE t ADD UNIQUE x (c), ADD c INT"));
        assertEquals(List.of(ids("DROP TABLE t").get(0), ids("DROP TABLE u").get(0)), ids("DROP TABLE t, u"));
    }
}
