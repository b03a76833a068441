package io.tributary.schema.read;

import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.column;
import static io.tributary.schema.Statements.tableOf;
import static io.tributary.schema.Statements.written;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.value.ServerVersion;
import org.junit.jupiter.api.Test;

class TypesTest {
    private static final long REAL_AS_FLOAT = 1;

    @Test
    void synonymsAreOneType() {
        for (String integer : new String[] {"INT", "INTEGER", "int(11)", "INT4", "INT SIGNED"}) {
            assertEquals("int NULL DEFAULT NULL", column(integer));
        }
        assertEquals("decimal(10,0) NULL DEFAULT NULL", column("DEC"));
        assertEquals("decimal(5,0) NULL DEFAULT NULL", column("FIXED(5)"));
        assertEquals("mediumint NULL DEFAULT NULL", column("MIDDLEINT"));
        assertEquals("double NULL DEFAULT NULL", column("DOUBLE PRECISION"));
        assertEquals("geomcollection NULL DEFAULT NULL", column("GEOMETRYCOLLECTION"));
        assertEquals("year NULL DEFAULT NULL", column("YEAR(4)"));
    }

    @Test
    void boolIsATinyintOfOneDigit() {
        assertEquals("tinyint(1) NULL DEFAULT '0'", column("BOOL DEFAULT FALSE"));
        assertEquals("tinyint unsigned NULL DEFAULT NULL", column("TINYINT(1) UNSIGNED"));
    }

    @Test
    void serialIsAUniqueAutoIncrement() {
        assertEquals("bigint unsigned NOT NULL AUTO_INCREMENT", column("SERIAL"));
        assertEquals("int NOT NULL AUTO_INCREMENT", column("INT SERIAL DEFAULT VALUE"));
        assertEquals(1, tableOf("CREATE TABLE t (a SERIAL)").keys().size());
    }

    @Test
    void floatsDependOnTheirBits() {
        assertEquals("float NULL DEFAULT NULL", column("FLOAT(24)"));
        assertEquals("double NULL DEFAULT NULL", column("FLOAT(25)"));
        assertEquals("float(7,3) NULL DEFAULT NULL", column("FLOAT(7,3)"));
        assertEquals("double NULL DEFAULT NULL", column("REAL"));
        assertEquals("float NULL DEFAULT NULL", column("REAL", SESSION.withSqlMode(REAL_AS_FLOAT)));
    }

    @Test
    void zerofillImpliesUnsignedAndAWidth() {
        assertEquals("int(10) unsigned zerofill NULL DEFAULT '0000000003'", column("INT ZEROFILL DEFAULT 3"));
    }

    @Test
    void nationalCharactersAreUtf8mb3() {
        String collation = " CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NULL DEFAULT NULL";
        assertEquals("char(3)" + collation, column("NCHAR(3)"));
        assertEquals("varchar(3)" + collation, column("NATIONAL VARCHAR(3)"));
        assertEquals("varchar(3)" + collation, column("NATIONAL CHARACTER VARYING(3)"));
        assertEquals("varchar(3)" + collation, column("NVARCHAR(3)"));
        assertEquals("varchar(3)" + collation, column("NCHAR VARCHAR(3)"));
    }

    @Test
    void characterSetsHaveShortNames() {
        assertEquals("char(3) CHARACTER SET ucs2 COLLATE ucs2_general_ci NULL DEFAULT NULL", column("CHAR(3) UNICODE"));
        assertEquals(
                "char(3) CHARACTER SET latin1 COLLATE latin1_swedish_ci NULL DEFAULT NULL", column("CHAR(3) ASCII"));
        assertEquals("binary(3) NULL DEFAULT NULL", column("CHAR(3) BYTE"));
        assertEquals("char(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL DEFAULT NULL", column("CHAR(3) BINARY"));
        assertEquals(
                "char(3) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin NULL DEFAULT NULL",
                column("CHAR(3) COLLATE utf8_bin"));
    }

    @Test
    void longAndSizedTextsGetTheShortestTypeThatFits() {
        assertEquals("mediumtext NULL DEFAULT NULL", column("LONG VARCHAR"));
        assertEquals("mediumblob NULL DEFAULT NULL", column("LONG VARBINARY"));
        assertEquals("text NULL DEFAULT NULL", column("TEXT(100)"));
        assertEquals("tinytext NULL DEFAULT NULL", column("TEXT(60)"));
        assertEquals("mediumblob NULL DEFAULT NULL", column("BLOB(70000)"));
        assertEquals("mediumtext NULL DEFAULT NULL", column("VARCHAR(20000)"));
    }

    @Test
    void aBinaryTableHasBinaryColumns() {
        var table =
                tableOf("CREATE TABLE t (a CHAR(3), b TEXT, c ENUM('x '), d VARCHAR(3) CHARSET latin1) CHARSET binary");
        assertEquals("binary(3) NULL DEFAULT NULL", written(table, "a"));
        assertEquals("blob NULL DEFAULT NULL", written(table, "b"));
        assertEquals("enum('x ') NULL DEFAULT NULL", written(table, "c"));
        assertEquals(
                "varchar(3) CHARACTER SET latin1 COLLATE latin1_swedish_ci NULL DEFAULT NULL", written(table, "d"));
    }

    @Test
    void theDefaultCollationOfUtf8mb4IsThatOfTheSession() {
        ReadSession old = new ReadSession(
                "s",
                new SessionVariables(0, true, false),
                SessionCollations.of("latin1_swedish_ci", "utf8mb4_general_ci"),
                new ServerVersion(false, 80031));
        assertEquals(
                "utf8mb4_general_ci",
                tableOf("CREATE TABLE t (a CHAR) CHARSET utf8mb4", old).collation());
        assertEquals(
                "latin1_swedish_ci", tableOf("CREATE TABLE t (a CHAR)", old).collation());
    }

    @Test
    void versionCommentsOfLaterServersAreSkipped() {
        assertEquals(
                "int NULL DEFAULT NULL /*!80023 INVISIBLE */", column("INT /*!80023 INVISIBLE */ /*!90000 NO SUCH */"));
        assertEquals("int NULL DEFAULT NULL", column("INT /*!80023 INVISIBLE */", SESSION.ofServer(false, 80022)));
        assertEquals("int NULL DEFAULT NULL", column("INT /*M!100300 INVISIBLE */"));
        assertEquals(
                "int NULL DEFAULT NULL /*!80023 INVISIBLE */",
                column("INT /*M!100300 INVISIBLE */ /*!80023 NO SUCH */", SESSION.ofServer(true, 101100)));
    }

    @Test
    void aMariadbJsonIsATextWithACheck() {
        var table = tableOf("CREATE TABLE t (a JSON)", SESSION.ofServer(true, 101100));
        assertEquals("longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL DEFAULT NULL", written(table, "a"));
        assertEquals("json_valid(`a`)", table.checks().get(0).expression());
    }

    @Test
    void vectorsAndReferenceSystemsAreKept() {
        assertEquals("vector(3) NULL DEFAULT NULL", column("VECTOR(3)"));
        assertEquals("vector(2048) NULL DEFAULT NULL", column("VECTOR"));
        assertEquals("point NOT NULL /*!80003 SRID 4326 */", column("POINT NOT NULL SRID 4326"));
    }
}
