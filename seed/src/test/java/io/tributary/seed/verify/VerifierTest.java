package io.tributary.seed.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.verify.VerifyServers.Heard;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests on real servers: equal rows of each type are equal, and every damage of one row is found. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerifierTest {
    /** A column type, with values of which each differs from the others. */
    private record Values(String type, List<String> literals) {
        static Values of(String type, String... literals) {
            return new Values(type, List.of(literals));
        }
    }

    private static final List<Values> TYPES = List.of(
            Values.of("TINYINT", "0", "-128", "127", "NULL"),
            Values.of("BIGINT", "0", "-9223372036854775808", "9223372036854775807", "-1"),
            Values.of("BIGINT UNSIGNED", "0", "18446744073709551615", "18446744073709551614"),
            Values.of("INT(8) ZEROFILL", "0", "42", "4294967295"),
            Values.of("DECIMAL(65,30)", "0", "-0.000000000000000000000000000001", "12345678901234567890.5"),
            Values.of("FLOAT", "0", "1.1", "1.1000001", "-3.4e38", "1e-38", "16777216", "16777215"),
            Values.of("FLOAT(10,2)", "0", "1.25", "99999.99"),
            Values.of("DOUBLE", "0", "0.1", "0.10000000000000002", "-1.7e308", "2.3e-308", "1e15"),
            Values.of("BIT(1)", "0", "1", "NULL"),
            Values.of("BIT(64)", "0", "1", "18446744073709551615"),
            Values.of("DATE", "'1000-01-01'", "'9999-12-31'", "NULL"),
            Values.of("TIME(6)", "'-838:59:58.999999'", "'00:00:00'", "'-00:00:00.000001'", "'838:59:58.999999'"),
            Values.of(
                    "DATETIME(6)",
                    "'1000-01-01 00:00:00'",
                    "'9999-12-31 23:59:59.999999'",
                    "'2020-02-29 00:00:00.000001'"),
            Values.of("TIMESTAMP(3) NULL", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07.999'", "NULL"),
            Values.of("YEAR", "1901", "2155", "0"),
            Values.of("CHAR(10) CHARACTER SET utf8mb4", "''", "'a'", "'A'", "'a#b'", "'\u00e9'", "'e\u0301'", "NULL"),
            Values.of("VARCHAR(20) CHARACTER SET utf8mb4", "''", "' '", "'a '", "'a'", "'\ud83d\ude00'", "NULL"),
            Values.of("VARCHAR(300) CHARACTER SET latin1", "''", "'\u00e9'", "'e'", "X'81'", "X'00'"),
            Values.of("VARCHAR(20) CHARACTER SET gbk", "''", "X'b0a1'", "X'b0a2'", "'a'"),
            Values.of("VARCHAR(20) CHARACTER SET ascii", "''", "'a'"),
            Values.of("TEXT CHARACTER SET utf16", "''", "'\ud83d\ude00'", "REPEAT('ab', 30000)", "REPEAT('ba', 30000)"),
            Values.of("BINARY(4)", "X''", "X'00000001'", "X'ffffffff'", "NULL"),
            Values.of("VARBINARY(20)", "X''", "X'00'", "X'0000'", "'#'", "NULL"),
            Values.of("LONGBLOB", "X''", "X'00'", "REPEAT(X'ff', 100000)", "NULL"),
            Values.of("ENUM('x','y','Y2')", "'x'", "'y'", "'Y2'", "NULL"),
            Values.of("SET('a','b','c')", "''", "'a'", "'a,c'", "NULL"),
            Values.of("JSON", "'null'", "'{}'", "'{\"a\": 1}'", "'{\"a\": 1.5}'", "'\"x\"'", "NULL"),
            Values.of("POINT", "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(1 2)', 4326)", "NULL"),
            Values.of("GEOMETRY", "ST_GeomFromText('LINESTRING(1 2, 3 4)')", "ST_GeomFromText('POINT(1 2)')"));

    private static final List<Values> KEYS = List.of(
            Values.of("INT", "-5", "-1", "0", "1", "2147483647"),
            Values.of("BIGINT UNSIGNED", "0", "1", "9223372036854775808", "18446744073709551615"),
            Values.of("INT(6) ZEROFILL", "0", "42", "100"),
            Values.of("DECIMAL(20,5)", "-1.5", "-0.00001", "0", "0.1", "100000"),
            Values.of("FLOAT", "-1.1", "0", "0.3", "1.1", "16777215"),
            Values.of("DOUBLE", "-1e300", "0", "0.1", "0.30000000000000004", "1e-300"),
            Values.of("BIT(40)", "0", "1", "1099511627775"),
            Values.of("DATE", "'1000-01-01'", "'2020-02-29'", "'9999-12-31'"),
            Values.of("TIME(3)", "'-10:00:00.001'", "'00:00:00'", "'11:00:00.5'", "'100:00:00'"),
            Values.of("DATETIME(6)", "'2020-01-01 00:00:00'", "'2020-01-01 00:00:00.000001'", "'9999-12-31 23:59:59'"),
            Values.of("TIMESTAMP(6)", "'1970-01-01 00:00:01'", "'2020-03-29 02:30:00.5'", "'2038-01-01 00:00:00'"),
            Values.of("YEAR", "1901", "2000", "2155"),
            Values.of("VARCHAR(20) COLLATE utf8mb4_0900_ai_ci", "''", "'a'", "'B'", "'b '", "'\u00e4z'", "'Z'"),
            Values.of(
                    "VARCHAR(20) COLLATE utf8mb4_general_ci",
                    "''",
                    "'a'",
                    "'B'",
                    "'\u00e4z'",
                    "'Z'",
                    "'it''s \\\\ \"'"),
            Values.of("VARCHAR(20) COLLATE utf8mb4_bin", "''", "'a'", "'A'", "'\ud83d\ude00'", "'\u00e9'"),
            Values.of("VARCHAR(20) CHARACTER SET latin1", "''", "'a'", "'B'", "'\u00e9\u00fc'", "'\u00ff'"),
            Values.of("VARCHAR(20) CHARACTER SET gbk", "''", "'a'", "X'b0a1'", "X'b0a2'"),
            Values.of("CHAR(5) CHARACTER SET utf8mb3", "''", "'a'", "'b'", "'\u20ac'"),
            Values.of("BINARY(3)", "X'000000'", "X'0000ff'", "X'616263'", "X'ffffff'"),
            Values.of("VARBINARY(20)", "X''", "X'00'", "X'0000'", "'a'", "'A'", "X'27275c'"),
            Values.of("ENUM('z','y','x')", "'x'", "'y'", "'z'"),
            Values.of("SET('c','b','a')", "''", "'a'", "'b'", "'c,b'", "'a,b,c'"));

    private VerifyServers servers;
    private int tables;

    @BeforeAll
    void start() throws SQLException {
        servers = new VerifyServers();
    }

    @AfterAll
    void end() {
        if (servers != null) {
            servers.close();
        }
    }

    private static VerifyOptions options(int chunk) {
        return options(chunk, 100, 1_000, Duration.ofSeconds(10));
    }

    private static VerifyOptions options(int chunk, int sample, int findings, Duration limit) {
        return new VerifyOptions(
                new VerifyOptions.Volume(chunk, sample, 0, findings, 0), VerifyOptions.Mode.PLAIN, limit);
    }

    private LogicalTable create(String body) throws SQLException {
        return servers.create("t" + ++tables, body);
    }

    /** Inserts rows into the shards by turns, and all into the replica. */
    private void insert(LogicalTable table, List<String> rows) throws SQLException {
        try (Sql first = servers.shard(0).sql();
                Sql second = servers.shard(1).sql();
                Sql replica = servers.replica().sql()) {
            for (Sql each : List.of(first, second, replica)) {
                each.execute("SET sql_mode = ''");
            }
            for (int i = 0; i < rows.size(); i++) {
                String statement = "INSERT INTO " + table.name() + " VALUES (" + rows.get(i) + ")";
                (i % 2 == 0 ? first : second).execute(statement);
                replica.execute(statement);
            }
        }
    }

    private void onReplica(String... statements) throws SQLException {
        try (Sql sql = servers.replica().sql()) {
            sql.execute("SET sql_mode = ''").execute(statements);
        }
    }

    private static List<String> lines(Heard heard) {
        return heard.findings.stream().map(Finding::toString).sorted().toList();
    }

    private void assertEqualNow(VerifyOptions options, LogicalTable... all) {
        assertEquals(List.of(), lines(servers.verify(options, all)));
    }

    @Test
    void everyTypeOfColumnIsComparedExactly() throws SQLException {
        String columns = IntStream.range(0, TYPES.size())
                .mapToObj(i -> "c" + i + " " + TYPES.get(i).type())
                .reduce("", (a, b) -> a + ", " + b);
        LogicalTable table = create("id INT PRIMARY KEY" + columns);
        int most = TYPES.stream().mapToInt(type -> type.literals().size()).max().orElseThrow();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < most; row++) {
            StringBuilder values = new StringBuilder(Integer.toString(row));
            for (Values type : TYPES) {
                values.append(", ")
                        .append(type.literals().get(row % type.literals().size()));
            }
            rows.add(values.toString());
        }
        insert(table, rows);
        assertEqualNow(options(3), table);

        List<LogicalTable> all = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (Values type : TYPES) {
            List<String> literals = type.literals();
            LogicalTable one = create("id INT PRIMARY KEY, other INT, c " + type.type());
            all.add(one);
            List<String> same = new ArrayList<>();
            List<String> damage = new ArrayList<>();
            for (int row = 0; row < literals.size(); row++) {
                same.add(2 * row + ", NULL, " + literals.get(row));
                same.add(2 * row + 1 + ", 5, " + literals.get(row));
                damage.add("UPDATE " + one.name() + " SET c = " + literals.get((row + 1) % literals.size())
                        + " WHERE id = " + (2 * row + 1));
                expected.add(one.name() + " id=" + (2 * row + 1) + ": differs: c [shard s2 " + one.name() + "]");
            }
            insert(one, same);
            onReplica(damage.toArray(String[]::new));
        }
        List<String> found = lines(servers.verify(options(3), all.toArray(LogicalTable[]::new)));
        assertEquals(
                String.join("\n", expected.stream().sorted().toList()), String.join("\n", found), TYPES.toString());
    }

    @Test
    void everyTypeOfKeyDividesTheTable() throws SQLException {
        List<LogicalTable> all = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        List<String> damage = new ArrayList<>();
        for (Values type : KEYS) {
            for (String keys : List.of("PRIMARY KEY (a)", "PRIMARY KEY (b, a)", "UNIQUE KEY (a, b)")) {
                LogicalTable table = create("x INT, a " + type.type() + " NOT NULL, b INT NOT NULL, " + keys);
                all.add(table);
                List<String> rows = new ArrayList<>();
                for (String literal : type.literals()) {
                    for (int b = -1; b <= (keys.contains("b") ? 1 : -1); b++) {
                        rows.add(rows.size() + ", " + literal + ", " + b);
                    }
                }
                insert(table, rows);
                damage.add("UPDATE " + table.name() + " SET x = NULL WHERE x = 1");
                damage.add("DELETE FROM " + table.name() + " WHERE x IN (0, " + (rows.size() - 1) + ")");
                expected.add(table.name() + ": differs: x");
                expected.add(table.name() + ": missing on the replica");
                expected.add(table.name() + ": missing on the replica");
            }
        }
        LogicalTable[] tables = all.toArray(LogicalTable[]::new);
        assertEqualNow(options(2), tables);
        onReplica(damage.toArray(String[]::new));
        List<String> found = lines(servers.verify(options(2), tables));
        assertEquals(
                String.join("\n", expected.stream().sorted().toList()),
                found.stream()
                        .map(line -> line.replaceAll(" [ab]=.*: (differs: x|missing on the replica) .*", ": $1"))
                        .sorted()
                        .collect(Collectors.joining("\n")),
                () -> KEYS + " " + found);
    }

    @Test
    void rowsThatExchangedTheirValuesAreFound() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY, a INT, b VARCHAR(9)");
        insert(table, List.of("1, 10, 'xx'", "2, 20, 'yy'", "3, 30, 'zz'"));
        onReplica("UPDATE " + table.name() + " SET b = IF(id = 1, 'yy', 'xx') WHERE id < 3");
        assertEquals(
                List.of("id=1: differs: b", "id=2: differs: b"),
                lines(servers.verify(options(100), table)).stream()
                        .map(line -> line.replaceAll("^\\S+ | \\[.*", ""))
                        .toList());
    }

    @Test
    void rowsOnOneSideOnlyAreFoundAtBothEnds() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY, a INT");
        insert(table, List.of("0, 0", "10, 1", "20, 2"));
        onReplica(
                "DELETE FROM " + table.name() + " WHERE id IN (0, 20)",
                "INSERT INTO " + table.name() + " VALUES (-5, 1), (99, 1)");
        servers.shard(1).execute("INSERT INTO " + table.name() + " VALUES (1000, 1)");
        servers.shard(0).execute("INSERT INTO " + table.name() + " VALUES (11, 1)");
        servers.shard(1).execute("INSERT INTO " + table.name() + " VALUES (11, 1)");
        List<String> found = lines(servers.verify(options(1), table));
        assertEquals(
                List.of(
                        "id=-5: only on the replica",
                        "id=0: missing on the replica [shard s1",
                        "id=1000: missing on the replica [shard s2",
                        "id=11: on several shards [shard s1",
                        "id=20: missing on the replica [shard s1",
                        "id=99: only on the replica"),
                found.stream()
                        .map(line -> line.substring(line.indexOf(' ') + 1).replaceAll("(shard s.) .*", "$1"))
                        .toList());
    }

    @Test
    void anEmptyReplicaIsFoundInPartsUpToTheLimit() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY, a INT");
        insert(table, IntStream.range(0, 60).mapToObj(i -> i + ", 1").toList());
        onReplica("TRUNCATE " + table.name());
        assertEquals(60, servers.verify(options(5), table).findings.size());
        VerifyOptions few = options(5, 100, 7, Duration.ofSeconds(10));
        assertTrue(servers.verify(few, table).findings.size() <= 60);
    }

    @Test
    void aTableWithoutAKeyIsComparedAsAWhole() throws SQLException {
        LogicalTable table = create("a INT, b VARCHAR(5)");
        insert(table, List.of("1, 'a'", "1, 'a'", "2, 'b'", "2, 'b'"));
        assertEqualNow(options(1), table);
        onReplica("UPDATE " + table.name() + " SET a = 3, b = 'c' WHERE a = 1");
        assertEquals(List.of(table.name() + ": the table differs"), lines(servers.verify(options(1), table)));
    }

    @Test
    void aTableThatTheReplicaLacksIsReported() throws SQLException {
        LogicalTable table = create("a INT PRIMARY KEY");
        LogicalTable other = create("a INT PRIMARY KEY");
        onReplica("DROP TABLE " + table.name());
        List<String> found = lines(servers.verify(options(1), table, other));
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.get(0).contains("doesn't exist"), found.toString());
    }

    @Test
    void aColumnThatIsDefinedDifferentlyIsNamed() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY, a DECIMAL(5,1), b INT");
        insert(table, List.of("1, 1.5, 1", "2, 2.5, 2"));
        servers.shard(0).execute("ALTER TABLE " + table.name() + " MODIFY a DECIMAL(10,4)");
        onReplica("UPDATE " + table.name() + " SET b = 5 WHERE id = 2");
        assertEquals(
                List.of(
                        "id=1: differs, and the columns are defined differently: a [shard s1 " + table.name() + "]",
                        "id=2: differs: b [shard s2 " + table.name() + "]"),
                lines(servers.verify(options(5), table)).stream()
                        .map(line -> line.substring(line.indexOf(' ') + 1))
                        .toList());
    }

    /** The column is defined differently on the second shard only: a difference of a row of the first one has another reason. */
    @Test
    void onlyTheDefinitionOnTheShardThatHasTheRowCounts() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY, a INT");
        insert(table, List.of("1, 1", "2, 2"));
        servers.shard(1).execute("ALTER TABLE " + table.name() + " MODIFY a BIGINT");
        onReplica("UPDATE " + table.name() + " SET a = a + 10");
        assertEquals(
                List.of(
                        table.name() + " id=1: differs: a [shard s1 " + table.name() + "]",
                        table.name() + " id=2: differs, and the columns are defined differently: a [shard s2 "
                                + table.name() + "]"),
                servers.verify(options(100), table).findings.stream()
                        .map(Finding::toString)
                        .sorted()
                        .toList());
    }

    @Test
    void valuesAreShownAndRowsAreRepairedOnDemand() throws SQLException {
        String columns = IntStream.range(0, TYPES.size())
                .mapToObj(i -> "c" + i + " " + TYPES.get(i).type())
                .reduce("", (a, b) -> a + ", " + b);
        LogicalTable table = create("id INT AUTO_INCREMENT PRIMARY KEY, u INT UNIQUE" + columns);
        List<String> rows = new ArrayList<>();
        for (int row = 1; row <= 7; row++) {
            StringBuilder values = new StringBuilder(row + ", " + row);
            for (Values type : TYPES) {
                values.append(", ")
                        .append(type.literals().get(row % type.literals().size()));
            }
            rows.add(values.toString());
        }
        insert(table, rows);
        damageForRepair(table);
        Heard printed =
                servers.verify(options(2).with(new VerifyOptions.Mode(true, false, VerifyOptions.Repair.PRINT)), table);
        List<String> shown = lines(printed);
        assertEquals(5, shown.size(), shown.toString());
        assertTrue(shown.stream().anyMatch(line -> line.contains("u ('3' / '4')")), shown.toString());
        String before = servers.replica().gtidExecuted();
        onReplica(printed.script.toArray(String[]::new));
        assertEqualNow(options(2), table);
        assertEquals(before, servers.replica().gtidExecuted());

        damageForRepair(table);
        before = servers.replica().gtidExecuted();
        Heard repaired =
                servers.verify(options(2).with(new VerifyOptions.Mode(false, false, VerifyOptions.Repair.RUN)), table);
        assertEquals(5, repaired.findings.size(), lines(repaired).toString());
        assertEquals(before, servers.replica().gtidExecuted());
        assertEqualNow(options(2), table);
    }

    /** Two rows exchange their unique values, two are missing, one is too many. */
    private void damageForRepair(LogicalTable table) throws SQLException {
        onReplica(
                "UPDATE " + table.name() + " SET u = NULL WHERE id = 3",
                "UPDATE " + table.name() + " SET u = 3 WHERE id = 4",
                "UPDATE " + table.name() + " SET u = 4 WHERE id = 3",
                "DELETE FROM " + table.name() + " WHERE id IN (1, 5)",
                "INSERT INTO " + table.name() + " (id, u) VALUES (100, 100)");
    }

    @Test
    void aReplicaThatDoesNotApplyIsRefusedWithWhatItLacks() throws SQLException {
        LogicalTable table = create("a INT PRIMARY KEY, b INT");
        insert(table, List.of("1, 1"));
        onReplica("UPDATE " + table.name() + " SET b = 2");
        String written = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:1-7";
        String missing = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:2-7";
        VerifyOptions shortLimit = options(5, 100, 7, Duration.ofMillis(300));
        GtidSet stream = GtidSet.parse(written);
        TributaryException foreign =
                assertThrows(TributaryException.class, () -> servers.verify(stream, shortLimit, table));
        assertTrue(foreign.getMessage().contains("expected a replica of the stream " + written), foreign.getMessage());
        onReplica(
                "SET gtid_next = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:1'",
                "BEGIN",
                "COMMIT",
                "SET gtid_next = AUTOMATIC");
        TributaryException refused =
                assertThrows(TributaryException.class, () -> servers.verify(stream, shortLimit, table));
        assertEquals(ErrorCode.TARGET_UNFIT, refused.code());
        assertTrue(refused.getMessage().contains("lacks " + missing), refused.getMessage());
        assertTrue(refused.getMessage().contains("no replication source"), refused.getMessage());
        LogicalTable[] many = new LogicalTable[20];
        Arrays.fill(many, table);
        assertEquals(
                ErrorCode.TARGET_UNFIT,
                assertThrows(TributaryException.class, () -> servers.verify(stream, shortLimit, many))
                        .code());
    }

    @Test
    void aRateDelaysTheChunks() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY");
        insert(table, IntStream.range(0, 20).mapToObj(Integer::toString).toList());
        VerifyOptions slow = new VerifyOptions(
                new VerifyOptions.Volume(5, 100, 0, 1_000, 10), VerifyOptions.Mode.PLAIN, Duration.ofSeconds(10));
        long begin = System.nanoTime();
        assertEqualNow(slow, table);
        assertTrue(System.nanoTime() - begin >= Duration.ofMillis(1_500).toNanos(), "15 rows before the last chunk");
    }

    @Test
    void aSampleReadsItsShareOfTheChunks() throws SQLException {
        LogicalTable table = create("id INT PRIMARY KEY, a INT");
        insert(table, IntStream.range(0, 40).mapToObj(i -> i + ", 1").toList());
        onReplica("UPDATE " + table.name() + " SET a = 2");
        VerifyOptions quarter = options(2, 25, 100, Duration.ofSeconds(10));
        int found = servers.verify(quarter, table).findings.size();
        assertTrue(found >= 8 && found <= 14, "found " + found);
    }
}
