package io.tributary.schema.rows.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.error.TributaryException;
import io.tributary.schema.rows.Columns;
import io.tributary.schema.rows.Draw;
import io.tributary.schema.rows.LoggedRows;
import io.tributary.schema.rows.ReshapePlan;
import io.tributary.schema.rows.RowReshaper;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each conversion with edge values and random ones: compares the bytes with those after ALTER TABLE on a real server. */
class ConversionTest {
    private static final int ROUNDS = Integer.getInteger("reshape.rounds", 1);
    private static final int PAIRS = Integer.getInteger("reshape.pairs", 120);
    private static final int VALUES = 25;
    private static final int BAD_ONES = 2;

    private static MysqlServer server;

    /**
     * A change of a column's definition.
     *
     * @param isStricter whether the conversion rejects values that the server rounds by its session's settings
     */
    private record Pair(String from, String to, boolean isStricter) {}

    @BeforeAll
    static void startServer() {
        server = MysqlServer.start(MysqlOptions.named("conversions"));
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @Test
    void valuesAreConvertedAsByAlterTable() throws SQLException {
        long seed = Long.getLong("reshape.seed", new Random().nextLong());
        List<String> problems = new ArrayList<>();
        int[] counts = new int[3];
        for (int round = 0; round < ROUNDS; round++) {
            try (Sql sql = server.sql()) {
                round(sql, new Draw(new Random(seed + round)), problems, counts);
            }
        }
        org.slf4j.LoggerFactory.getLogger(ConversionTest.class)
                .info(
                        "seed {}: {} rows converted, {} refused, {} refusals compared",
                        seed,
                        counts[0],
                        counts[1],
                        counts[2]);
        assertEquals(List.of(), problems, "seed " + seed);
    }

    private static void round(Sql sql, Draw draw, List<String> problems, int[] counts) throws SQLException {
        List<Pair> pairs = draw.some(pairs(), PAIRS);
        List<List<String>> values = new ArrayList<>();
        sql.execute("DROP DATABASE IF EXISTS d", "CREATE DATABASE d", "USE d", "SET sql_mode = ''");
        sql.execute("FLUSH BINARY LOGS");
        for (int i = 0; i < pairs.size(); i++) {
            values.add(draw.values(pairs.get(i).from(), VALUES));
            StringBuilder text = new StringBuilder();
            text.append("CREATE TABLE p" + i + " (id INT PRIMARY KEY, c "
                    + pairs.get(i).from() + "); BEGIN;");
            for (int k = 0; k < values.get(i).size(); k++) {
                text.append("INSERT IGNORE INTO p" + i + " VALUES (" + k + ", "
                        + values.get(i).get(k) + ");");
            }
            text.append("COMMIT; CREATE TABLE x" + i + " (id INT PRIMARY KEY, c "
                    + pairs.get(i).to() + ");");
            text.append("INSERT IGNORE INTO x" + i + " (id) VALUES (1)");
            sql.execute(text.toString());
        }
        Map<String, LoggedRows.Table> before = LoggedRows.read(server);
        List<List<ByteBuffer>> expected = new ArrayList<>();
        RowReshaper reshaper = new RowReshaper();
        sql.execute("FLUSH BINARY LOGS");
        for (int i = 0; i < pairs.size(); i++) {
            LoggedRows.Table from = before.get("p" + i);
            LoggedRows.Table to = before.get("x" + i);
            ReshapePlan plan = ReshapePlan.of(from.shape(), to.shape(), Columns.of(Map.of(), Map.of()));
            List<ByteBuffer> results = new ArrayList<>();
            List<Integer> bad = new ArrayList<>();
            if (plan instanceof ReshapePlan.None none) {
                problems.add(pairs.get(i) + ": " + none.reason());
                expected.add(List.of());
                continue;
            }
            for (int k = 0; k < from.events().size(); k++) {
                try {
                    ByteBuffer event = from.events().get(k);
                    results.add(
                            plan instanceof ReshapePlan.Total total
                                    ? LoggedRows.reshaped(reshaper, event, total)
                                    : event);
                } catch (TributaryException e) {
                    bad.add(k);
                }
            }
            counts[0] += results.size();
            counts[1] += bad.size();
            if (from.events().size() != values.get(i).size()) {
                throw new AssertionError(pairs.get(i) + ": " + from.events().size() + " events");
            }
            for (int k = 0; k < bad.size(); k++) {
                int id = bad.get(k);
                if (k < BAD_ONES && !pairs.get(i).isStricter()) {
                    counts[2]++;
                    refused(sql, pairs.get(i), values.get(i).get(id), problems);
                }
                sql.execute("DELETE FROM d.p" + i + " WHERE id = " + id);
            }
            alter(sql, i, pairs.get(i), problems);
            expected.add(results);
        }
        sql.execute("FLUSH BINARY LOGS");
        for (int i = 0; i < pairs.size(); i++) {
            StringBuilder text = new StringBuilder("BEGIN;");
            for (int k = 0; k < values.get(i).size(); k++) {
                text.append("DELETE FROM p" + i + " WHERE id = " + k + ";");
            }
            sql.execute(text + "COMMIT");
        }
        Map<String, LoggedRows.Table> after = LoggedRows.read(server);
        for (int i = 0; i < pairs.size(); i++) {
            compare(pairs.get(i), expected.get(i), after.get("p" + i), problems);
        }
    }

    private static void alter(Sql sql, int i, Pair pair, List<String> problems) throws SQLException {
        sql.execute("SET sql_mode = 'STRICT_ALL_TABLES'");
        try {
            sql.execute("ALTER TABLE d.p" + i + " MODIFY c " + pair.to());
        } catch (SQLException e) {
            problems.add(pair + ": the server rejects a value that is converted: " + e.getMessage());
        }
        sql.execute("SET sql_mode = ''");
    }

    private static void refused(Sql sql, Pair pair, String value, List<String> problems) throws SQLException {
        sql.execute(
                "DROP TABLE IF EXISTS d.bad",
                "CREATE TABLE d.bad (id INT PRIMARY KEY, c " + pair.from() + ")",
                "INSERT IGNORE INTO d.bad VALUES (1, " + value + ")",
                "SET sql_mode = 'STRICT_ALL_TABLES'");
        try {
            sql.execute("ALTER TABLE d.bad MODIFY c " + pair.to());
            problems.add(pair + ": the server accepts a value that is rejected: " + value);
        } catch (SQLException e) {
            if (e.getErrorCode() == 1064) {
                throw e;
            }
        }
        sql.execute("SET sql_mode = ''");
    }

    private static void compare(Pair pair, List<ByteBuffer> actual, LoggedRows.Table expected, List<String> problems) {
        List<ByteBuffer> events = expected == null ? List.of() : expected.events();
        if (events.size() != actual.size()) {
            problems.add(pair + ": " + actual.size() + " rows, the server has " + events.size());
            return;
        }
        for (int k = 0; k < actual.size(); k++) {
            ByteBuffer actualRows = LoggedRows.rows(actual.get(k));
            ByteBuffer expectedRows = LoggedRows.rows(events.get(k));
            if (!actualRows.equals(expectedRows)) {
                problems.add(pair + ": converted " + hex(actualRows) + ", the server's " + hex(expectedRows));
                return;
            }
        }
    }

    private static String hex(ByteBuffer bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(60, bytes.limit()); i++) {
            text.append(String.format("%02x", bytes.get(i)));
        }
        return text.append(" (").append(bytes.limit()).append(" bytes)").toString();
    }

    private static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        List<String> integers = List.of("TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT");
        for (String one : integers) {
            for (String sign : List.of("", " UNSIGNED")) {
                for (String other : integers) {
                    add(pairs, one + sign, other);
                    add(pairs, one + sign, other + " UNSIGNED");
                }
                for (String other : List.of(
                        "DECIMAL(20,0)",
                        "DECIMAL(5,2)",
                        "DECIMAL(65,30)",
                        "DECIMAL(9,9)",
                        "DOUBLE",
                        "DOUBLE UNSIGNED",
                        "DECIMAL(10,0) UNSIGNED",
                        "VARCHAR(20)",
                        "CHAR(3)",
                        "TEXT",
                        "VARCHAR(300) CHARACTER SET utf16",
                        "TINYTEXT CHARACTER SET latin1")) {
                    add(pairs, one + sign, other);
                }
            }
        }
        List<String> decimals = List.of(
                "DECIMAL(5,2)",
                "DECIMAL(10,0)",
                "DECIMAL(9,9)",
                "DECIMAL(20,10)",
                "DECIMAL(65,30)",
                "DECIMAL(65,0)",
                "DECIMAL(6,2) UNSIGNED",
                "DECIMAL(7,3)");
        for (String one : decimals) {
            for (String other : decimals) {
                add(pairs, one, other);
            }
        }
        add(pairs, "FLOAT", "DOUBLE");
        add(pairs, "FLOAT", "DOUBLE UNSIGNED");
        add(pairs, "DOUBLE UNSIGNED", "DOUBLE");
        add(pairs, "DOUBLE", "DOUBLE UNSIGNED");
        for (String set : List.of("utf8mb4", "utf8mb3", "latin1", "ascii", "utf16", "gbk", "ucs2", "utf32", "sjis")) {
            String suffix = " CHARACTER SET " + set;
            List<String> types = List.of(
                    "CHAR(10)",
                    "CHAR(70)",
                    "CHAR(255)",
                    "VARCHAR(5)",
                    "VARCHAR(60)",
                    "VARCHAR(100)",
                    "VARCHAR(400)",
                    "TINYTEXT",
                    "TEXT",
                    "MEDIUMTEXT",
                    "LONGTEXT");
            for (String one : types) {
                for (String other : types) {
                    boolean all = set.equals("utf8mb4") || set.equals("latin1");
                    if (all || (one.length() + other.length() + set.length()) % 3 == 0) {
                        add(pairs, one + suffix, other + suffix);
                    }
                }
            }
        }
        List<String> binaries = List.of(
                "BINARY(5)",
                "BINARY(200)",
                "VARBINARY(10)",
                "VARBINARY(300)",
                "VARBINARY(90)",
                "TINYBLOB",
                "BLOB",
                "LONGBLOB");
        for (String one : binaries) {
            for (String other : binaries) {
                if (!(one.equals("BINARY(200)")
                        && List.of("BINARY(5)", "VARBINARY(10)", "VARBINARY(90)")
                                .contains(other))) {
                    add(pairs, one, other);
                }
            }
        }
        for (String set : List.of(
                "utf8mb3", "ascii", "latin1", "gbk", "gb18030", "big5", "sjis", "cp932", "ujis", "euckr", "utf16",
                "ucs2", "utf32", "utf16le")) {
            String suffix = " CHARACTER SET " + set;
            for (String target : List.of("VARCHAR(60)", "VARCHAR(400)", "CHAR(20)", "TEXT", "TINYTEXT", "VARCHAR(5)")) {
                add(pairs, "VARCHAR(60)" + suffix, target + " CHARACTER SET utf8mb4");
            }
            add(pairs, "CHAR(20)" + suffix, "VARCHAR(20) CHARACTER SET utf8mb4");
            add(pairs, "TEXT" + suffix, "MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
            add(pairs, "TEXT" + suffix, "VARCHAR(100) CHARACTER SET utf8mb3");
        }
        add(pairs, "VARCHAR(60) CHARACTER SET ascii", "VARCHAR(60) CHARACTER SET latin1");
        add(pairs, "VARCHAR(60) CHARACTER SET utf8mb4", "VARCHAR(60) CHARACTER SET utf8mb3");
        add(pairs, "VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "VARCHAR(60) CHARACTER SET utf8mb4");
        add(pairs, "VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "VARCHAR(50) CHARACTER SET utf8mb4");
        add(pairs, "CHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "CHAR(50) CHARACTER SET utf8mb4");
        String many = "'v"
                + String.join(
                        "','v",
                        java.util.stream.IntStream.range(0, 300)
                                .mapToObj(Integer::toString)
                                .toList()) + "'";
        List<String> members = List.of(
                "('a','b','c','d')",
                "('a','b','c','d','e')",
                "('d','b','a','c')",
                "('c','a')",
                "('\u00e7\u00e4','a','d','c','b')");
        for (String one : members.subList(0, 3)) {
            for (String other : members) {
                add(pairs, "ENUM" + one, "ENUM" + other);
                add(pairs, "SET" + one, "SET" + other);
                add(pairs, "ENUM" + one + " CHARACTER SET latin1", "ENUM" + other + " CHARACTER SET utf8mb4");
            }
            for (String other :
                    List.of("VARCHAR(10)", "CHAR(3)", "VARCHAR(2)", "TEXT", "VARCHAR(300) CHARACTER SET utf16")) {
                add(pairs, "ENUM" + one, other);
                add(pairs, "SET" + one, other);
            }
        }
        add(pairs, "ENUM('v0','v1','v2')", "ENUM(" + many + ")");
        add(pairs, "ENUM('\u00e4','\u00f6','c') CHARACTER SET latin1", "VARCHAR(3) CHARACTER SET utf8mb4");
        add(
                pairs,
                "ENUM('\u00e4','\u00f6','c') CHARACTER SET utf16",
                "ENUM('c','\u00f6','\u00e4') CHARACTER SET utf8mb4");
        add(pairs, "SET('a','b','c')", "SET('a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r')");
        for (String type : List.of("TIME", "DATETIME", "TIMESTAMP")) {
            for (int one = 0; one < 7; one++) {
                for (int other = 0; other < 7; other++) {
                    String nullable = type.equals("TIMESTAMP") ? " NULL" : "";
                    pairs.add(new Pair(type + "(" + one + ")" + nullable, type + "(" + other + ")" + nullable, true));
                }
            }
        }
        for (String other : List.of("DATETIME", "DATETIME(1)", "DATETIME(4)", "DATETIME(6)")) {
            add(pairs, "DATE", other);
        }
        for (String other : List.of("BIT(7)", "BIT(8)", "BIT(9)", "BIT(33)", "BIT(64)")) {
            add(pairs, "BIT(1)", other);
            add(pairs, "BIT(7)", other.equals("BIT(7)") ? "BIT(10)" : other);
        }
        add(pairs, "INT", "INT NOT NULL");
        add(pairs, "INT", "BIGINT NOT NULL");
        add(pairs, "VARCHAR(20)", "VARCHAR(30) NOT NULL");
        add(pairs, "DATETIME", "DATETIME(6) NOT NULL");
        add(pairs, "JSON", "JSON NOT NULL");
        add(pairs, "YEAR", "YEAR NOT NULL");
        add(pairs, "INT NOT NULL", "INT NULL");
        return pairs;
    }

    private static void add(List<Pair> pairs, String from, String to) {
        pairs.add(new Pair(from, to, false));
    }
}
