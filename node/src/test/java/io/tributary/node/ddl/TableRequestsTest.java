package io.tributary.node.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.ShardTables;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.check.TableNames;
import io.tributary.node.task.ShardClient;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.testkit.Await;
import io.tributary.testkit.ManualClock;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables of real servers that are passed to a collector. */
class TableRequestsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ShardClient CLIENT = new ShardClient();
    private static final TableNames NAMES = new TableNames(
            ExtractorConfig.of(1000, Map.of())
                    .withTableMap(Map.of(
                            "orders", new TableMapRule(Pattern.compile("shop\\.orders_\\d+"), "shop.orders"),
                            "wrong", new TableMapRule(Pattern.compile("shop\\.wrong"), "nothing"))),
            table -> table.startsWith("_"));

    private static MysqlServer server;

    private final ManualClock clock = new ManualClock();
    private final Map<Integer, ShardTables> received = new TreeMap<>();
    private TableRequests lists;

    @BeforeAll
    static void start() throws Exception {
        server = MysqlServer.start("lists");
        MysqlUser.tributary().createForTributary(server);
        try (Sql sql = server.sql()) {
            sql.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop._orders_1_gho (id INT)",
                    "CREATE TABLE shop.wrong (id INT)");
            for (int i = 0; i < 3000; i++) {
                sql.execute("CREATE TABLE shop.orders_" + i + " (id INT) ENGINE=MyISAM");
            }
        }
    }

    @AfterAll
    static void stop() {
        CLIENT.close();
        server.close();
    }

    @AfterEach
    void close() {
        lists.close();
    }

    private static ShardConfig as(String user, String password) {
        return ShardConfig.of("127.0.0.1", server.port(), user, password);
    }

    private static TableRequests.Asked shard(int index, ShardConfig config) {
        return new TableRequests.Asked(index, "s" + index, config);
    }

    private void lists(TableRequests.Asked... shards) {
        lists = new TableRequests(
                List.of(shards),
                NAMES,
                CLIENT.client(),
                (shard, tables) -> {
                    received.put(shard, tables);
                    return CompletableFuture.completedFuture(null);
                },
                clock);
    }

    private void runUntilReceived(int shards) {
        Await.until("the tables of " + shards + " shards", LIMIT, () -> {
            lists.doWork();
            return received.size() == shards;
        });
    }

    @Test
    void theDefinitionOfOneTableIsRequested() {
        lists(shard(0, as(MysqlUser.tributary().name(), MysqlUser.tributary().password())));
        runUntilReceived(1);
        CompletableFuture<Optional<ReportedTable>> found = lists.definition(0, new TableName("shop", "orders_7"));
        CompletableFuture<Optional<ReportedTable>> missing = lists.definition(0, new TableName("shop", "nothing"));
        CompletableFuture<Optional<ReportedTable>> ofNoShard = lists.definition(5, new TableName("shop", "orders_7"));
        Await.until("the answers", LIMIT, () -> {
            lists.doWork();
            return found.isDone() && missing.isDone() && ofNoShard.isDone();
        });
        assertTrue(
                found.join().orElseThrow().text().startsWith("CREATE TABLE `orders_7` (\n  `id` int DEFAULT NULL\n)"));
        assertEquals(Optional.empty(), missing.join());
        assertTrue(ofNoShard.isCompletedExceptionally());
        assertEquals(TableRequests.LONGEST_REST_NANOS, lists.restNanos(), "no request is left");
    }

    @Test
    void eachShardsTablesArePassedOnceWithTheGtidsBeforeThem() {
        ShardConfig config =
                as(MysqlUser.tributary().name(), MysqlUser.tributary().password());
        lists(shard(0, config), shard(1, config));
        runUntilReceived(2);
        ShardTables tables = received.get(0);
        assertEquals(tables.names(), received.get(1).names());
        assertEquals(3001, tables.names().size(), "a hidden table, and one without a logical table, are left out");
        assertTrue(tables.names().contains(new ShardTables.Name(new TableName("shop", ""), new TableName("shop", ""))));
        assertTrue(tables.names()
                .contains(new ShardTables.Name(new TableName("shop", "orders"), new TableName("shop", "orders_2999"))));
        Set<TableName> physical = new HashSet<>();
        tables.names().forEach(name -> physical.add(name.physical()));
        assertEquals(tables.names().size(), physical.size());
        assertEquals(3003, tables.before().count());
        assertEquals(tables.before(), tables.executed(), "nothing was written meanwhile");
        assertEquals(3001, tables.definitions().size(), "also that of the hidden table");
        assertTrue(tables.definitions().bytes() < 100_000, tables.definitions()::toString);
        assertTrue(tables.definitions()
                .text(new TableName("shop", "orders_2999"))
                .orElseThrow()
                .startsWith("CREATE TABLE `orders_2999` (\n  `id` int DEFAULT NULL\n)"));
        assertEquals(List.of(new SchemaDefault("shop", "utf8mb4", "utf8mb4_0900_ai_ci")), tables.defaults());
        received.clear();
        clock.pass(Duration.ofMinutes(1));
        for (int i = 0; i < 100; i++) {
            lists.doWork();
        }
        assertEquals(Map.of(), received);
    }

    @Test
    void requestsBeginWhenAShardJoinsAndEndWhenItLeaves() {
        lists(shard(0, ShardConfig.of("127.0.0.1", 1, "u", "p")));
        CompletableFuture<Void> joined = lists.request(
                shard(3, as(MysqlUser.tributary().name(), MysqlUser.tributary().password())));
        assertFalse(joined.isDone());
        runUntilReceived(1);
        Await.until("the answer", LIMIT, () -> {
            lists.doWork();
            return joined.isDone();
        });
        assertEquals(List.of(3), new ArrayList<>(received.keySet()));
        lists.forget("s0");
        lists.doWork();
        assertEquals(TableRequests.LONGEST_REST_NANOS, lists.restNanos(), "no request is left");
    }

    @Test
    void theRequestIsRepeatedUntilTheAccountHasTheRight() throws Exception {
        MysqlUser poor = new MysqlUser("poor", "secret", MysqlUser.CACHING_SHA2)
                .create(server, "REPLICATION SLAVE, REPLICATION CLIENT ON *.*");
        lists(shard(0, as(poor.name(), poor.password())));
        CompletableFuture<Void> check = lists.check("s0", as(poor.name(), poor.password()));
        Await.until("a refusal", LIMIT, () -> {
            lists.doWork();
            return check.isCompletedExceptionally();
        });
        try (Sql sql = server.sql()) {
            sql.execute("SET sql_log_bin = 0", "GRANT SELECT ON *.* TO 'poor'@'%'");
        }
        Await.until("the tables", LIMIT, () -> {
            clock.pass(Duration.ofSeconds(1));
            lists.doWork();
            return received.size() == 1;
        });
        assertEquals(3001, received.get(0).names().size());
    }
}
