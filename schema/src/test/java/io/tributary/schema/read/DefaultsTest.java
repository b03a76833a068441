package io.tributary.schema.read;

import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.after;
import static io.tributary.schema.Statements.column;
import static io.tributary.schema.Statements.isRead;
import static io.tributary.schema.Statements.tableOf;
import static io.tributary.schema.Statements.written;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.schema.definition.TableDefinition;
import org.junit.jupiter.api.Test;

class DefaultsTest {
    private static final ReadSession IMPLICIT = SESSION.withExplicitDefaultsForTimestamp(false);

    @Test
    void constantsAreConvertedToStoredValues() {
        assertEquals("decimal(10,3) NULL DEFAULT '1.500'", column("DECIMAL(10,3) DEFAULT 1.5"));
        assertEquals("int NULL DEFAULT '2'", column("INT DEFAULT 1.7"));
        assertEquals("bigint NULL DEFAULT '255'", column("BIGINT DEFAULT 0xff"));
        assertEquals("float NULL DEFAULT '1.1'", column("FLOAT DEFAULT 1.10"));
        assertEquals("float NULL DEFAULT '16777200'", column("FLOAT DEFAULT 16777217"));
        assertEquals("double NULL DEFAULT '1e100'", column("DOUBLE DEFAULT 1e100"));
        assertEquals("double NULL DEFAULT '1.2345678901234568e17'", column("DOUBLE DEFAULT 123456789012345678"));
        assertEquals("double NULL DEFAULT '100000000000000'", column("DOUBLE DEFAULT 1e14"));
        assertEquals("bit(5) NULL DEFAULT b'101'", column("BIT(5) DEFAULT b'00101'"));
        assertEquals("bit(16) NULL DEFAULT b'110000101100010'", column("BIT(16) DEFAULT 'ab'"));
        assertEquals("enum('A','b') NULL DEFAULT 'A'", column("ENUM('A','b ') DEFAULT 'a'"));
        assertEquals("set('x','y') NULL DEFAULT 'x,y'", column("SET('x','y') DEFAULT 'Y,X'"));
        assertEquals("binary(3) NULL DEFAULT 0x610000", column("BINARY(3) DEFAULT 'a'"));
        assertEquals("char(5) NULL DEFAULT 'a'", column("CHAR(5) DEFAULT 'a  '"));
        assertEquals("varchar(5) NULL DEFAULT 'A'", column("VARCHAR(5) DEFAULT 0x41"));
        assertEquals("varchar(5) NULL DEFAULT 'x'", column("VARCHAR(5) DEFAULT _latin1'x'"));
        assertEquals("varchar(6) NULL DEFAULT '-1500'", column("VARCHAR(6) DEFAULT -1.5e3"));
    }

    @Test
    void datesAndTimesAreWrittenInFull() {
        assertEquals("date NULL DEFAULT '2020-01-01'", column("DATE DEFAULT 20200101"));
        assertEquals("time NULL DEFAULT '34:00:00'", column("TIME DEFAULT '1 10:00'"));
        assertEquals("time NULL DEFAULT '00:36:00'", column("TIME DEFAULT 3600"));
        assertEquals("time(2) NULL DEFAULT '-10:00:00.57'", column("TIME(2) DEFAULT '-10:00:00.567'"));
        assertEquals("datetime(2) NULL DEFAULT '2020-01-01 00:00:00.00'", column("DATETIME(2) DEFAULT '2020-1-1'"));
        assertEquals("datetime NULL DEFAULT '2020-01-01 10:00:01'", column("DATETIME DEFAULT '2020-01-01 10:00:00.7'"));
        assertEquals("year NULL DEFAULT '0000'", column("YEAR DEFAULT 0"));
        assertEquals("year NULL DEFAULT '2000'", column("YEAR DEFAULT '0'"));
        assertEquals("year NULL DEFAULT '1999'", column("YEAR DEFAULT 99"));
    }

    @Test
    void theCurrentTimeHasOneName() {
        String now = "timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)";
        assertEquals(now, column("TIMESTAMP(3) NOT NULL DEFAULT NOW(3) ON UPDATE LOCALTIME(3)"));
        assertEquals("datetime NULL DEFAULT (now())", column("DATETIME DEFAULT (CURRENT_TIMESTAMP)"));
    }

    @Test
    void aNullableColumnWithoutADefaultHasNull() {
        assertEquals("int NULL DEFAULT NULL", column("INT"));
        assertEquals("int NOT NULL", column("INT NOT NULL"));
        assertEquals("text NULL DEFAULT NULL", column("TEXT"));
    }

    @Test
    void columnsOfThePrimaryKeyAreNotNull() {
        assertEquals("int NOT NULL", column("INT PRIMARY KEY"));
        assertEquals("int NOT NULL", written(tableOf("CREATE TABLE t (a INT, PRIMARY KEY (a))"), "a"));
        TableDefinition dropped =
                after("CREATE TABLE t (a INT)", "ALTER TABLE t ADD PRIMARY KEY (a)", "ALTER TABLE t DROP PRIMARY KEY");
        assertEquals("int NOT NULL", written(dropped, "a"));
    }

    @Test
    void timestampsWithoutExplicitDefaultsGetThem() {
        TableDefinition table =
                tableOf("CREATE TABLE t (a TIMESTAMP, b TIMESTAMP(2), c TIMESTAMP NULL, d DATETIME)", IMPLICIT);
        assertEquals("timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP", written(table, "a"));
        assertEquals("timestamp(2) NOT NULL DEFAULT '0000-00-00 00:00:00.00'", written(table, "b"));
        assertEquals("timestamp NULL DEFAULT NULL", written(table, "c"));
        assertEquals("datetime NULL DEFAULT NULL", written(table, "d"));
        assertEquals("timestamp NULL DEFAULT NULL", column("TIMESTAMP"));
    }

    @Test
    void anAlterationGivesNewTimestampsTheirDefaults() {
        TableDefinition before = tableOf("CREATE TABLE t (a TIMESTAMP NOT NULL DEFAULT '2020-01-01')");
        TableDefinition table = DefinitionReader.alter(before, "ALTER TABLE t ADD b TIMESTAMP", IMPLICIT)
                .orElseThrow();
        assertEquals("timestamp NOT NULL DEFAULT '2020-01-01 00:00:00'", written(table, "a"));
        assertEquals("timestamp NOT NULL DEFAULT '0000-00-00 00:00:00'", written(table, "b"));
        assertEquals(
                "timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP",
                written(
                        DefinitionReader.alter(
                                        tableOf("CREATE TABLE t (a INT)"), "ALTER TABLE t ADD b TIMESTAMP", IMPLICIT)
                                .orElseThrow(),
                        "b"));
    }

    @Test
    void anAlterationOfAnOldFirstTimestampWithoutADefaultIsNotRead() {
        TableDefinition before = tableOf("CREATE TABLE t (a TIMESTAMP NOT NULL)");
        assertTrue(
                DefinitionReader.alter(before, "ALTER TABLE t FORCE", IMPLICIT).isEmpty());
        assertTrue(
                DefinitionReader.alter(before, "ALTER TABLE t FORCE", SESSION).isPresent());
    }

    @Test
    void mariadbAcceptsDefaultsThatMysqlDoesNot() {
        ReadSession mariadb = SESSION.ofServer(true, 101100);
        assertEquals("text NULL DEFAULT 'a'", column("TEXT DEFAULT 'a'", mariadb));
        assertEquals("varchar(36) NULL DEFAULT (uuid())", column("VARCHAR(36) DEFAULT uuid()", mariadb));
        assertEquals(
                "datetime NULL DEFAULT CURRENT_TIMESTAMP", column("DATETIME DEFAULT current_timestamp()", mariadb));
    }

    @Test
    void aConstantThatIsNotValidForTheColumnIsNotRead() {
        assertFalse(isRead("CREATE TABLE t (a INT DEFAULT 'x')"));
        assertFalse(isRead("CREATE TABLE t (a ENUM('x') DEFAULT 'y')"));
        assertFalse(isRead("CREATE TABLE t (a DATE DEFAULT 'never')"));
    }
}
