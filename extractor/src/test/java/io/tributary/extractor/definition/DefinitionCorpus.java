package io.tributary.extractor.definition;

import java.util.ArrayList;
import java.util.List;

/** A corpus of tables with every type, default, key and constraint. */
final class DefinitionCorpus {
    private static final String BEGIN = "CREATE TABLE %s (";

    /** For each: the column's type, and literals that it may have as defaults. */
    private static final List<List<String>> TYPES = List.of(
            List.of("TINYINT", "0", "-128", "'7'"),
            List.of("TINYINT UNSIGNED", "255"),
            List.of("TINYINT(1)", "1", "TRUE"),
            List.of("BOOL", "FALSE"),
            List.of("SMALLINT", "-5"),
            List.of("SMALLINT(5) UNSIGNED ZEROFILL", "5"),
            List.of("MEDIUMINT", "1e3"),
            List.of("INT", "1.4", "0x10"),
            List.of("INT UNSIGNED", "4294967295"),
            List.of("INT ZEROFILL", "42"),
            List.of("BIGINT", "-9223372036854775808"),
            List.of("BIGINT UNSIGNED", "18446744073709551615"),
            List.of("DECIMAL", "12"),
            List.of("DECIMAL(10,2)", "1.5", "-0.01"),
            List.of("DECIMAL(65,30) UNSIGNED", "0.5"),
            List.of("NUMERIC(5)", "9"),
            List.of("FLOAT", "1.25", "1e20", "-3.4e38"),
            List.of("FLOAT(7,3)", "1.2345"),
            List.of("FLOAT(30)", "2"),
            List.of("DOUBLE", "1e100", "0.1", "-1e-10"),
            List.of("DOUBLE(10,4) UNSIGNED", "3.14159"),
            List.of("REAL", "4"),
            List.of("BIT", "1", "b'0'"),
            List.of("BIT(5)", "b'101'", "7"),
            List.of("BIT(64)", "b'1111'"),
            List.of("DATE", "'2020-02-29'", "20200101"),
            List.of("DATETIME", "'2020-01-01 01:02:03'", "CURRENT_TIMESTAMP", "NULL"),
            List.of("DATETIME(3)", "'2020-01-01'", "NOW(3)"),
            List.of("DATETIME(6)", "CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)", "NULL ON UPDATE NOW(6)"),
            List.of("TIMESTAMP NULL", "NULL", "CURRENT_TIMESTAMP", "'2020-01-01 00:00:00'"),
            List.of("TIMESTAMP(2) NULL", "LOCALTIMESTAMP(2) ON UPDATE LOCALTIMESTAMP(2)"),
            List.of("TIME", "'-838:59:59'", "'01:02'"),
            List.of("TIME(4)", "'01:02:03.5'"),
            List.of("YEAR", "2020", "'99'"),
            List.of("CHAR", "'x'"),
            List.of("CHAR(10)", "'it''s'", "''", "'a '", "'\\\\n'", "'a\\nb'", "'%_?'"),
            List.of("CHAR(10) CHARACTER SET latin1", "'ä'"),
            List.of("CHAR(10) COLLATE utf8mb4_bin", "'ü'"),
            List.of("VARCHAR(255)", "'\\\\ \\r\\n\\t \"q\" `b`'", "'null'", "'CURRENT_TIMESTAMP'", "'中文'"),
            List.of("VARCHAR(300) CHARACTER SET ascii", "'a'"),
            List.of("VARCHAR(20) CHARACTER SET utf8mb3", "'é'"),
            List.of("VARCHAR(20) CHARACTER SET gbk COLLATE gbk_bin", "'中'"),
            List.of("VARCHAR(20) CHARACTER SET ucs2", "'z'"),
            List.of("VARCHAR(20) CHARACTER SET utf16", "'z'"),
            List.of("NCHAR(5)", "'n'"),
            List.of("NVARCHAR(5)", "'n'"),
            List.of("BINARY(3)", "'abc'", "'a'", "x'00ff61'"),
            List.of("BINARY", "'1'"),
            List.of("VARBINARY(10)", "'abc'", "x'00ff61'", "''", "'a\\0b'"),
            List.of("CHAR(4) CHARACTER SET binary", "'ab'"),
            List.of("TINYBLOB"),
            List.of("BLOB", "('abc')"),
            List.of("MEDIUMBLOB"),
            List.of("LONGBLOB"),
            List.of("TINYTEXT"),
            List.of("TEXT", "('a')", "(concat('x', 'y''z'))"),
            List.of("TEXT CHARACTER SET latin1 COLLATE latin1_bin"),
            List.of("MEDIUMTEXT"),
            List.of("LONGTEXT COLLATE utf8mb4_general_ci"),
            List.of("LONG"),
            List.of("JSON", "(json_object('a', 1))", "('[]')"),
            List.of("ENUM('a','b''c','d,e',' f','ü')", "'b''c'", "'ü'"),
            List.of("ENUM('x','y') CHARACTER SET latin1", "'x'"),
            List.of("ENUM('a') CHARACTER SET binary", "'a'"),
            List.of("SET('a','b','c')", "'a,c'", "''"),
            List.of("SET('a','\\\\') COLLATE utf8mb4_bin", "'\\\\'"),
            List.of("GEOMETRY", "(ST_GeomFromText('POINT(1 2)'))"),
            List.of("POINT SRID 4326"),
            List.of("LINESTRING SRID 0"),
            List.of("POLYGON"),
            List.of("MULTIPOINT"),
            List.of("MULTILINESTRING"),
            List.of("MULTIPOLYGON"),
            List.of("GEOMETRYCOLLECTION"));

    private static final List<String> TABLES = List.of(
            BEGIN + "id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT) AUTO_INCREMENT = 1000",
            BEGIN + "id SERIAL, v VARCHAR(10)) COMMENT 'it''s \\\\ a\\ncomment' ROW_FORMAT = COMPRESSED",
            BEGIN + "a INT NOT NULL, b INT NOT NULL, c INT, PRIMARY KEY (b, a), KEY k (c, a), UNIQUE (c))",
            BEGIN + "a VARCHAR(50), b TEXT, c BLOB, UNIQUE KEY u (a(5), b(7)), KEY k (c(9)), KEY d (a DESC, b(3)))",
            BEGIN
                    + "a INT, b INT, KEY i (a) INVISIBLE COMMENT 'a ''key''', UNIQUE KEY u (b) USING HASH) ENGINE = MEMORY",
            BEGIN + "a TEXT, b VARCHAR(9), FULLTEXT KEY f (a, b), FULLTEXT KEY g (b) WITH PARSER ngram)",
            BEGIN + "a POINT NOT NULL SRID 4326, b GEOMETRY NOT NULL SRID 0, SPATIAL KEY s (a), SPATIAL INDEX (b))",
            BEGIN + "a INT, b VARCHAR(20), KEY f ((a + 1)), KEY g ((lower(b)), a DESC), UNIQUE KEY h ((a * 2) DESC))",
            BEGIN + "j JSON, KEY m ((CAST(j->'$.z' AS UNSIGNED ARRAY))), UNIQUE ((cast(j->>'$.a' AS CHAR(20)))))",
            BEGIN + "a INT, b INT AS (a + 1), c INT GENERATED ALWAYS AS (a * 2) STORED NOT NULL, KEY (b), KEY (c))",
            BEGIN + "a VARCHAR(9), b VARCHAR(40) AS (concat(a, 'x''y', \"z\", 'l\\n\\\\')) STORED COMMENT 'made')",
            BEGIN + "a VARCHAR(9), b VARCHAR(40) AS (concat(a, 'ü中')) VIRTUAL)",
            BEGIN + "a JSON, b VARCHAR(9) AS (a->>'$.x') UNIQUE, c TEXT AS (json_pretty(a)) VIRTUAL INVISIBLE)",
            BEGIN + "a INT CHECK (a > 0), b INT, CONSTRAINT big CHECK (b < a) NOT ENFORCED, CHECK (b <> 7))",
            BEGIN + "a VARCHAR(9) CHECK (a IN ('x', 'y''z', '\\\\')), b DATE CHECK (b > '2000-01-01'))",
            BEGIN + "a VARCHAR(9) CHECK (a <> 'ä'))",
            BEGIN + "id INT PRIMARY KEY, p INT, q INT, FOREIGN KEY (p) REFERENCES parent (id),"
                    + " CONSTRAINT f2 FOREIGN KEY (q) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE SET NULL)",
            BEGIN + "a INT, b INT, CONSTRAINT two FOREIGN KEY (b, a) REFERENCES parent (x, y) ON DELETE RESTRICT"
                    + " ON UPDATE NO ACTION)",
            BEGIN + "a INT, FOREIGN KEY (a) REFERENCES corpus_other.parent (id) ON UPDATE CASCADE)",
            BEGIN + "id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES %s (id))",
            BEGIN + "a INT INVISIBLE, b INT, c INT NOT NULL DEFAULT 3 INVISIBLE COMMENT 'c')",
            BEGIN + "a VARCHAR(9), b CHAR(3) COLLATE latin1_bin, c TEXT CHARACTER SET utf8mb4) CHARACTER SET latin1",
            BEGIN + "a VARCHAR(9), b VARCHAR(9) COLLATE utf8mb4_0900_ai_ci) COLLATE utf8mb4_general_ci",
            BEGIN + "a VARCHAR(9), b VARCHAR(9) CHARACTER SET latin1) CHARACTER SET binary",
            BEGIN + "a VARCHAR(9) CHARACTER SET utf8mb4) CHARACTER SET utf8mb3",
            BEGIN + "`order` INT, `sel``ect` VARCHAR(3) DEFAULT 'x', `Ü 中` INT, `A.b` INT, KEY `k``1` (`order`))",
            BEGIN
                    + "a TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, b DATETIME DEFAULT (now()))",
            BEGIN + "a TIMESTAMP NOT NULL DEFAULT '2021-06-07 08:09:10', b TIMESTAMP NOT NULL, c TIMESTAMP NULL)",
            BEGIN + "a TIMESTAMP NOT NULL DEFAULT '0000-00-00 00:00:00', b DATE NOT NULL DEFAULT '0000-00-00')",
            BEGIN + "a INT DEFAULT (1 + 2), b VARCHAR(36) DEFAULT (uuid()), c DOUBLE DEFAULT (rand() * 10),"
                    + " d BINARY(16) DEFAULT (uuid_to_bin('aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee')), e VARCHAR(9) DEFAULT ('ü'))",
            BEGIN + "a INT NOT NULL, KEY (a)) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10),"
                    + " PARTITION p1 VALUES LESS THAN MAXVALUE)",
            BEGIN + "a INT, b VARCHAR(9)) PARTITION BY KEY (a) PARTITIONS 3",
            BEGIN + "a INT) ENGINE = MyISAM DELAY_KEY_WRITE = 1 MAX_ROWS = 100",
            BEGIN + "a INT NOT NULL, b CHAR(1) NOT NULL) ENGINE = CSV",
            BEGIN + "a INT) STATS_PERSISTENT = 1 KEY_BLOCK_SIZE = 8 ENCRYPTION = 'N'",
            BEGIN + "e ENUM('a?','b') DEFAULT 'a?' COMMENT 'what?', v VARCHAR(9) DEFAULT '??')");

    private DefinitionCorpus() {}

    /** Statements that need the schema {@code corpus} to be the default one; the tables' names are t0, t1 and so on. */
    static List<String> statements() {
        List<String> all = new ArrayList<>();
        for (List<String> type : TYPES) {
            StringBuilder columns = new StringBuilder("c0 " + type.get(0));
            boolean isNullable = type.get(0).endsWith("NULL");
            for (int i = 1; i < type.size(); i++) {
                columns.append(", c" + i + " " + type.get(0) + " DEFAULT " + type.get(i));
            }
            columns.append(", d " + (isNullable ? type.get(0) + " DEFAULT NULL" : type.get(0) + " NOT NULL"));
            all.add(BEGIN + columns + ")");
        }
        all.addAll(TABLES);
        for (int i = 0; i < all.size(); i++) {
            all.set(i, all.get(i).replace("%s", "t" + i));
        }
        return all;
    }
}
