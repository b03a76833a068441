package io.tributary.node.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.extractor.check.ShardProblem;
import io.tributary.extractor.check.TableNames;
import io.tributary.node.task.ShardClient;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlUser;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Differences between the tables of two real servers that cause problems in one logical table. */
class MemberCheckTest {
    private static final ShardClient CLIENT = new ShardClient();
    private static final ExtractorConfig CONFIG = ExtractorConfig.of(1000, Map.of())
            .withTableMap(Map.of(
                    "numbered", new TableMapRule(Pattern.compile("shop\\.(\\w+)_\\d+"), "shop.$1"),
                    "gone", new TableMapRule(Pattern.compile("shop\\.nothing"), "wrong")));

    private static MysqlServers servers;

    private final Map<String, ShardConfig> shards = new LinkedHashMap<>();
    private ShardCheck.Report report;

    @BeforeAll
    static void start() throws Exception {
        servers = MysqlServers.start(List.of(MysqlOptions.named("m1"), MysqlOptions.named("m2")));
        for (int i = 0; i < 2; i++) {
            MysqlUser.tributary().createForTributary(servers.get(i));
        }
    }

    @AfterAll
    static void stop() {
        CLIENT.close();
        servers.close();
    }

    @AfterEach
    void drop() throws SQLException {
        for (int i = 0; i < 2; i++) {
            servers.get(i)
                    .execute(
                            "DROP DATABASE IF EXISTS shop",
                            "SET GLOBAL auto_increment_increment = 1",
                            "SET GLOBAL auto_increment_offset = 1",
                            "SET GLOBAL collation_server = utf8mb4_0900_ai_ci");
        }
    }

    private static void both(String... statements) throws SQLException {
        servers.get(0).execute(statements);
        servers.get(1).execute(statements);
    }

    private List<String> warnings() {
        for (int i = 0; i < 2; i++) {
            MysqlServer server = servers.get(i);
            shards.put(
                    "s" + (i + 1),
                    ShardConfig.of(
                            server.host(),
                            server.port(),
                            MysqlUser.tributary().name(),
                            MysqlUser.tributary().password()));
        }
        report = new ShardCheck(CLIENT.client()).check(shards, Map.of());
        MemberCheck check = new MemberCheck(new TableNames(CONFIG, table -> table.startsWith("_")), CLIENT.client());
        shards.forEach(check::read);
        List<String> lines = new ArrayList<>(check.unread());
        check.problems(report.facts()).forEach(problem -> lines.add(problem.toString()));
        return lines;
    }

    private static void assertStarts(List<String> expected, List<String> lines) {
        assertEquals(expected.size(), lines.size(), () -> String.join("\n", lines));
        for (int i = 0; i < expected.size(); i++) {
            assertTrue(lines.get(i).startsWith(expected.get(i)), () -> String.join("\n", lines));
        }
    }

    @Test
    void membersWithTheSameDefinitionInAnotherTextAreNotReported() throws Exception {
        both(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.items (id INT PRIMARY KEY)",
                "CREATE TABLE shop.orders_0 (id INT PRIMARY KEY, n INT, KEY a (n), FOREIGN KEY (n) REFERENCES items (id))",
                "CREATE TABLE shop._orders_0_gho (id INT)");
        servers.get(1)
                .execute(
                        "CREATE TABLE shop.orders_1 (id INT COMMENT 'x', n INT, CONSTRAINT c FOREIGN KEY (n) REFERENCES"
                                + " items (id), PRIMARY KEY (id)) COMMENT 'y'",
                        "CREATE TABLE shop.alone (id INT)");
        assertEquals(List.of(), warnings());
        assertEquals(List.of(), report.problems());
    }

    @Test
    void differencesAreReportedByShardAndTableWithTheirConsequence() throws Exception {
        both(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders_0 (id INT PRIMARY KEY, n INT NOT NULL, v VARCHAR(10), UNIQUE (n))");
        servers.get(0).execute("CREATE TABLE shop.orders_1 LIKE shop.orders_0");
        servers.get(1)
                .execute(
                        "CREATE TABLE shop.orders_2 (id INT PRIMARY KEY, v VARCHAR(20) COLLATE utf8mb4_bin, n INT, extra INT)",
                        "CREATE TABLE shop.nothing (a INT)",
                        "ALTER DATABASE shop COLLATE utf8mb4_bin");
        String begin = "table shop.orders: warning: ";
        assertStarts(
                List.of(
                        "shard s2: warning: shop.nothing is not compared: ",
                        begin
                                + "NULL or NOT NULL of column n: NULL on s2:shop.orders_2, NOT NULL on s1:shop.orders_0 and"
                                + " the members like it: a NULL of one of them ",
                        begin
                                + "type of column v: varchar(20) on s2:shop.orders_2, varchar(10) on s1:shop.orders_0 and",
                        begin + "collation of column v: utf8mb4_bin on s2:shop.orders_2, utf8mb4_0900_ai_ci on ",
                        begin
                                + "column extra: only on s2:shop.orders_2: int; s1:shop.orders_0 and the members like it lack it",
                        begin + "order of columns: id,v,n on s2:shop.orders_2, id,n,v on ",
                        begin
                                + "unique key on n: none on s2:shop.orders_2, n on s1:shop.orders_0 and the members like it: ",
                        "table shop.*: warning: default collation of the schema: utf8mb4_0900_ai_ci on s1:shop,"
                                + " utf8mb4_bin on s2:shop: a CREATE TABLE"),
                warnings());
    }

    @Test
    void numbersThatSeveralMembersGenerateAreReportedUnlessTheyAreDisjoint() throws Exception {
        both(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders_0 (id INT AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT = 7",
                "CREATE TABLE shop.lines (id INT AUTO_INCREMENT, shard INT, PRIMARY KEY (id, shard))");
        assertStarts(
                List.of(
                        "table shop.orders: warning: AUTO_INCREMENT: the shards s1, s2 generate the same numbers: s1 has"
                                + " auto_increment_increment 1 and auto_increment_offset 1, s2 has "),
                warnings());
        both("SET GLOBAL auto_increment_increment = 2");
        servers.get(1).execute("SET GLOBAL auto_increment_offset = 2");
        assertEquals(List.of(), warnings());
        servers.get(1).execute("CREATE TABLE shop.orders_1 LIKE shop.orders_0");
        assertStarts(
                List.of("table shop.orders: warning: AUTO_INCREMENT: there are several members on one shard,"),
                warnings());
    }

    @Test
    void generatedPrimaryKeysOfSeveralMembersAreReported() throws Exception {
        both(
                "SET sql_generate_invisible_primary_key = ON",
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders_0 (n INT)",
                "CREATE TABLE shop.lines (id INT PRIMARY KEY)");
        servers.get(0).execute("SET sql_generate_invisible_primary_key = ON", "CREATE TABLE shop.alone (n INT)");
        assertStarts(
                List.of(
                        "table shop.orders: warning: generated primary key: each member generates its my_row_id from 1"),
                warnings());
    }

    @Test
    void differentSettingsAreReportedWithTheirConsequence() throws Exception {
        servers.get(1).execute("SET GLOBAL collation_server = latin1_swedish_ci");
        assertEquals(List.of(), warnings());
        List<ShardProblem> problems = report.problems();
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(report.isFit());
        assertTrue(
                problems.get(0)
                        .toString()
                        .startsWith("shard s2: warning: collation_server: expected the same on every shard, found"
                                + " utf8mb4_0900_ai_ci on s1 and latin1_swedish_ci on s2: a CREATE DATABASE "),
                problems::toString);
    }

    @Test
    void aShardWhoseTablesCannotBeReadIsReported() {
        MemberCheck check = new MemberCheck(new TableNames(CONFIG, table -> false), CLIENT.client());
        check.read("s9", ShardConfig.of("127.0.0.1", 1, "u", "p"));
        assertStarts(List.of("shard s9: warning: its tables are not compared: shard s9: "), check.unread());
    }

    @Test
    void keyRangesAreDisjointOnlyIfTheyHaveNoNumberInCommon() {
        assertTrue(range(2, 1).isDisjointFrom(range(2, 2)));
        assertTrue(range(4, 1).isDisjointFrom(range(2, 2)));
        assertEquals(false, range(4, 1).isDisjointFrom(range(2, 1)));
        assertEquals(false, range(3, 1).isDisjointFrom(range(2, 2)));
        assertEquals(false, range(1, 1).isDisjointFrom(range(1, 2)), "an offset that the server ignores");
    }

    private static KeyRange range(int increment, int offset) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("auto_increment_increment", "" + increment);
        variables.put("auto_increment_offset", "" + offset);
        return KeyRange.of(new ShardFacts(variables, GtidSet.EMPTY, GtidSet.EMPTY));
    }
}
