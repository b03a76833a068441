package io.tributary.replay.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.ServerVersion;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a server stores the same bytes for the literals of a row as for the row, and finds the row by each of them. */
class RowLiteralTest {
    private static final String SESSION =
            "SET time_zone = '+00:00', sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'";
    private static final Map<MysqlRelease, MysqlServer> SERVERS = new EnumMap<>(MysqlRelease.class);

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(MysqlServer::close);
    }

    private static MysqlServer server(MysqlRelease release) {
        return SERVERS.computeIfAbsent(
                release, one -> MysqlServer.start(MysqlOptions.named(one.name()).of(one)));
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL_8_0_31, MYSQL_8_0_31",
        "MYSQL_8_0_31, MYSQL_5_7_22",
        "MYSQL_8_0_31, MARIADB_10_11",
        "MYSQL_5_7_22, MYSQL_8_0_31",
        "MARIADB_10_11, MARIADB_10_11"
    })
    void literalsGiveTheStoredBytesBack(MysqlRelease from, MysqlRelease to) throws SQLException {
        copy(from, to, SampleColumns.PLAIN, true);
        copy(from, to, SampleColumns.TEXTS, true);
        copy(from, to, SampleColumns.JSONS, from.isMariadb() == to.isMariadb());
    }

    @Test
    void floatingPointNumbersKeepEachBit() throws SQLException {
        Random random = new Random(7);
        List<String> floats = new ArrayList<>(List.of("FLOAT"));
        List<String> doubles = new ArrayList<>(List.of("DOUBLE"));
        for (int i = 0; i < 400; i++) {
            float one = Float.intBitsToFloat(random.nextInt());
            double two = Double.longBitsToDouble(random.nextLong());
            floats.add(Float.isFinite(one) ? Double.toString(one) : "0");
            doubles.add(Double.isFinite(two) ? Double.toString(two) : "0");
        }
        copy(MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_8_0_31, List.of(floats, doubles), true);
    }

    /** They are stored in another form, and equal. */
    @Test
    void jsonNumbersOfSqlTypesAreFound() throws SQLException {
        List<String> column = new ArrayList<>(List.of("JSON", "JSON_ARRAY(CAST(1 AS UNSIGNED), 1.50, -0.000, 12.0)"));
        Random random = new Random(9);
        for (int i = 0; i < 200; i++) {
            column.add("JSON_ARRAY(" + random.nextGaussian() + "E0, " + random.nextFloat() + ")");
        }
        copy(MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_8_0_31, List.of(column), false);
    }

    /** The introducer is that of the event: the server converts the characters. */
    @Test
    void charactersAreConvertedIfTheTargetHasAnotherCharacterSet() throws SQLException {
        MysqlServer server = server(MysqlRelease.MYSQL_8_0_31);
        LoggedImages images = insert(
                server,
                List.of(
                        List.of("VARCHAR(9) CHARACTER SET latin1", "_latin1 X'e9'"),
                        List.of("TEXT CHARACTER SET gbk", "_gbk X'b0a1'"),
                        List.of("JSON", "JSON_ARRAY(1.5e0, 'x')"),
                        List.of("LONGTEXT CHARACTER SET latin1", "'[1, 2]'"),
                        List.of("BINARY(3)", "X'0100'")));
        try (Sql sql = prepared(server)) {
            List<List<String>> columns = List.of(
                    List.of("VARCHAR(9) CHARACTER SET utf8mb4"),
                    List.of("LONGTEXT CHARACTER SET utf16"),
                    List.of("LONGTEXT CHARACTER SET utf8mb4"),
                    List.of("JSON"),
                    List.of("VARBINARY(10)"));
            RowLiteral literal = new RowLiteral(create(sql, "u", columns), images.shape());
            List<String> row = literals(literal, images.images().get(0), 6);
            assertEquals(
                    List.of(
                            "0",
                            "_latin1 X'E9'",
                            "_gbk X'B0A1'",
                            "_utf8mb4 X'5B312E352C202278225D'",
                            "CAST(_latin1 X'5B312C20325D' AS JSON)",
                            "X'010000'"),
                    row);
            insert(sql, row, columns);
            assertEquals(
                    "C3A9 554A [1.5, \"x\"] [1, 2] 010000",
                    sql.text("SELECT CONCAT_WS(' ', HEX(c0), HEX(CONVERT(c1 USING ucs2)), c2, c3, HEX(c4)) FROM u"));
        }
    }

    @Test
    void columnsThatCannotHoldTheValuesAreRefused() throws SQLException {
        MysqlServer server = server(MysqlRelease.MYSQL_8_0_31);
        for (String[] types : new String[][] {
            {"INT UNSIGNED", "INT", "int unsigned, found int"},
            {"INT", "BIGINT UNSIGNED", "int, found bigint unsigned"},
            {"BIGINT", "INT", "bigint, found int"},
            {"INT", "VARCHAR(20)", "int, found varchar(20) in utf8mb4"},
            {"DECIMAL(10,3)", "DECIMAL(10,2)", "decimal(10,3), found decimal(10,2)"},
            {"DOUBLE", "FLOAT", "double, found float"},
            {"DATETIME(3)", "DATETIME", "datetime(3), found datetime"},
            {"DATETIME", "TIMESTAMP", "datetime(0), found timestamp"},
            {"BIT(9)", "BIT(8)", "bit(9), found bit(8)"},
            {"ENUM('a','b')", "ENUM('a')", "enum of 2 values, found enum('a') in utf8mb4"},
            {"VARCHAR(10) CHARACTER SET latin1", "VARCHAR(9)", "10 bytes in latin1, found varchar(9) in utf8mb4"},
            {"VARCHAR(10)", "VARBINARY(40)", "string of at most 40 bytes in utf8mb4, found varbinary(40)"},
            {"BLOB", "TEXT", "2 bytes of length in binary, found text in utf8mb4"},
            {"MEDIUMBLOB", "BLOB", "3 bytes of length in binary, found blob"},
            {"JSON", "TEXT", "json, found text in utf8mb4"},
            {"POINT", "BLOB", "geometry, found blob"}
        }) {
            LoggedImages images = insert(server, List.of(List.of(types[0], "NULL")));
            try (Sql sql = prepared(server)) {
                TableDefinition target = create(sql, "u", List.of(List.of(types[1])));
                TributaryException error =
                        assertThrows(TributaryException.class, () -> new RowLiteral(target, images.shape()), types[0]);
                assertEquals(ErrorCode.TARGET_UNFIT, error.code());
                assertTrue(error.getMessage().startsWith("d.u, column c0: expected"), error.getMessage());
                assertTrue(error.getMessage().endsWith(types[2]), error.getMessage());
            }
        }
    }

    @Test
    void columnsThatCanHoldTheValuesAreAccepted() throws SQLException {
        List<List<String>> from = List.of(
                List.of("INT UNSIGNED", "4294967295"),
                List.of("TINYINT", "-1"),
                List.of("DECIMAL(5,2)", "-999.99"),
                List.of("FLOAT", "1.1"),
                List.of("TIME(2)", "'-00:00:01.50'"),
                List.of("BIT(3)", "5"),
                List.of("ENUM('a','b')", "'b'"),
                List.of("CHAR(5) CHARACTER SET utf8mb3", "_utf8mb4 X'e4b8ad'"),
                List.of("BINARY(2)", "X'01'"),
                List.of("TINYBLOB", "X'ff'"));
        List<List<String>> to = List.of(
                List.of("BIGINT"),
                List.of("SMALLINT"),
                List.of("DECIMAL(10,5)"),
                List.of("DOUBLE"),
                List.of("TIME(6)"),
                List.of("BIT(64)"),
                List.of("ENUM('a','b','c')"),
                List.of("VARCHAR(5) CHARACTER SET utf8mb4"),
                List.of("BINARY(4)"),
                List.of("LONGBLOB"));
        MysqlServer server = server(MysqlRelease.MYSQL_8_0_31);
        LoggedImages images = insert(server, from);
        try (Sql sql = prepared(server)) {
            TableDefinition target = create(sql, "u", to);
            List<String> row = literals(
                    new RowLiteral(target, images.shape()), images.images().get(0), 11);
            insert(sql, row, to);
            assertFound(sql, target, List.of(row));
            assertEquals(
                    "4294967295 -1 -999.99000 -00:00:01.500000 5 b 01000000",
                    sql.text("SELECT CONCAT_WS(' ', c0, c1, c2, c4, c5+0, c6, HEX(c8)) FROM u"));
        }
    }

    @Test
    void anotherNumberOfColumnsIsRefused() throws SQLException {
        MysqlServer server = server(MysqlRelease.MYSQL_8_0_31);
        LoggedImages images = insert(server, List.of(List.of("INT", "1")));
        try (Sql sql = prepared(server)) {
            TableDefinition target = create(sql, "u", List.of(List.of("INT"), List.of("INT")));
            TributaryException error =
                    assertThrows(TributaryException.class, () -> new RowLiteral(target, images.shape()));
            assertEquals("d.u: expected 2 columns as in the rows of d.t, found 3", error.getMessage());
        }
    }

    @Test
    void aMalformedValueIsNotWritten() throws SQLException {
        MysqlServer server = server(MysqlRelease.MYSQL_8_0_31);
        LoggedImages images = insert(server, List.of(List.of("JSON", "'[1]'")));
        try (Sql sql = prepared(server)) {
            RowLiteral literal = new RowLiteral(create(sql, "u", List.of(List.of("JSON"))), images.shape());
            LoggedImages.Image image = images.images().get(0);
            int at = image.offsets()[1];
            image.view().put(at + 4, (byte) 99);
            ByteBuf out = Unpooled.buffer().writeByte('(');
            TributaryException error =
                    assertThrows(TributaryException.class, () -> literal.append(out, 1, image.view(), at));
            assertEquals(ErrorCode.EVENT_MALFORMED, error.code());
            assertTrue(error.getMessage().startsWith("d.u, column c0: JSON value of"), error.getMessage());
            assertEquals("(", out.toString(StandardCharsets.US_ASCII));
        }
    }

    /** Inserts the values into d.t, and into d.u by the literals of their images; compares the images of both, and finds each row by each value. */
    private static void copy(MysqlRelease from, MysqlRelease to, List<List<String>> columns, boolean areBytesKept)
            throws SQLException {
        LoggedImages first = insert(server(from), columns);
        try (Sql sql = prepared(server(to))) {
            TableDefinition target = create(sql, "u", columns);
            RowLiteral literal = new RowLiteral(target, first.shape());
            List<List<String>> rows = new ArrayList<>();
            for (LoggedImages.Image image : first.images()) {
                rows.add(literals(literal, image, columns.size() + 1));
            }
            for (List<String> row : rows) {
                insert(sql, row, columns);
            }
            assertFound(sql, target, rows);
        }
        LoggedImages second = LoggedImages.of(server(to), "u");
        assertEquals(first.images().size(), second.images().size());
        for (int i = 0; areBytesKept && i < first.images().size(); i++) {
            for (int j = 1; j <= columns.size(); j++) {
                List<String> column = columns.get(j - 1);
                String value = column.get(1 + i % (column.size() - 1));
                if (value.equals("-0e0") && server(to).release().isMariadb()) {
                    continue; // it stores 0
                }
                String text = column.get(0) + " of " + value;
                assertEquals(
                        first.images().get(i).isNull(j), second.images().get(i).isNull(j), text);
                assertArrayEquals(
                        first.images().get(i).bytes(j), second.images().get(i).bytes(j), text);
            }
        }
    }

    private static Sql prepared(MysqlServer server) throws SQLException {
        Sql sql = server.sql();
        return sql.execute(
                "CREATE DATABASE IF NOT EXISTS d", "USE d", "DROP TABLE IF EXISTS t, u", "FLUSH LOGS", SESSION);
    }

    private static TableDefinition create(Sql sql, String table, List<List<String>> columns) throws SQLException {
        String body = IntStream.range(0, columns.size())
                .mapToObj(i -> ", c" + i + " " + columns.get(i).get(0))
                .collect(Collectors.joining());
        sql.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY" + body + ") ROW_FORMAT=DYNAMIC");
        return definition(sql, table);
    }

    private static TableDefinition definition(Sql sql, String table) throws SQLException {
        String text = sql.rows("SHOW CREATE TABLE " + table).get(0).get("Create Table");
        ReadSession session = ReadSession.of(ServerVersion.of(sql.text("SELECT VERSION()")), "d");
        return DefinitionReader.create(text, session, name -> Optional.empty()).orElseThrow();
    }

    private static LoggedImages insert(MysqlServer server, List<List<String>> columns) throws SQLException {
        int rows = columns.stream().mapToInt(each -> each.size() - 1).max().orElseThrow();
        try (Sql sql = prepared(server)) {
            create(sql, "t", columns);
            for (int i = 0; i < rows; i++) {
                int row = i;
                sql.execute(columns.stream()
                        .map(each -> ", " + each.get(1 + row % (each.size() - 1)))
                        .collect(Collectors.joining("", "INSERT INTO t VALUES (" + row, ")")));
            }
        }
        return LoggedImages.of(server, "t");
    }

    private static List<String> literals(RowLiteral literal, LoggedImages.Image image, int columns) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            texts.add(image.isNull(i) ? "NULL" : text(literal, i, image));
        }
        return texts;
    }

    private static String text(RowLiteral literal, int index, LoggedImages.Image image) {
        ByteBuf out = Unpooled.buffer();
        literal.append(out, index, image.view(), image.offsets()[index]);
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static void insert(Sql sql, List<String> row, List<List<String>> columns) {
        try {
            sql.execute("INSERT INTO u VALUES (" + String.join(", ", row) + ")");
        } catch (SQLException e) {
            throw new AssertionError(columns + ": " + row, e);
        }
    }

    private static void assertFound(Sql sql, TableDefinition table, List<List<String>> rows) throws SQLException {
        List<String> missed = new ArrayList<>();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                String condition =
                        "id = " + row.get(0) + " AND " + table.columns().get(i).name() + " <=> " + row.get(i);
                if (sql.number("SELECT COUNT(*) FROM u WHERE " + condition) != 1) {
                    missed.add(table.columns().get(i).type().name() + ": " + shown(condition));
                }
            }
        }
        assertEquals(List.of(), missed);
    }

    private static String shown(String text) {
        return text.length() < 300 ? text : text.substring(0, 300) + "...";
    }
}
