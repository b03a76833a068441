package io.tributary.extractor.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.definition.DefinitionFetch;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The listings of tables of real servers. */
class TableNamesTest {
    private static final MultiThreadIoEventLoopGroup LOOP =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final MysqlClient CLIENT = new MysqlClient(LOOP);

    private static final ExtractorConfig CONFIG = ExtractorConfig.of(1000, Map.of())
            .withTableMap(Map.of("orders", new TableMapRule(Pattern.compile("shop\\.orders_\\d+"), "shop.orders")));

    private final TableNames names = new TableNames(CONFIG, table -> table.startsWith("_"));

    @AfterAll
    static void end() {
        LOOP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private TableListing list(MysqlServer server, String user, String password) {
        return names.of("s1", ShardConfig.of("127.0.0.1", server.port(), user, password), CLIENT, true)
                .join();
    }

    private static List<String> definitions(TableListing list, TableName... wanted) {
        DefinitionFetch fetch = list.definitions(List.of(wanted));
        List<String> texts = new ArrayList<>();
        Await.until("the definitions", Duration.ofSeconds(60), () -> {
            fetch.step();
            return fetch.isDone();
        });
        fetch.texts().forEach((table, text) -> texts.add(table + ": " + text.replaceAll("\\s+", " ")));
        return texts;
    }

    private List<String> listed(TableListing list) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            TableName physical = list.physical(i);
            names.logical(physical).ifPresent(logical -> lines.add(physical + " = " + logical));
        }
        lines.sort(null);
        return lines;
    }

    private static void makeTables(Sql sql) throws SQLException {
        sql.execute(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders_0 (id INT PRIMARY KEY)",
                "CREATE TABLE shop.orders_1 (id INT PRIMARY KEY)",
                "CREATE TABLE shop._orders_1_gho (id INT PRIMARY KEY)",
                "CREATE VIEW shop.seen AS SELECT id FROM shop.orders_0",
                "CREATE DATABASE `odd-schema`",
                "CREATE TABLE `odd-schema`.`täble` (id INT PRIMARY KEY)");
    }

    private void listsBaseTablesAndSchemas(MysqlRelease release) throws SQLException {
        try (MysqlServer server = MysqlServer.start(MysqlOptions.named("names").of(release));
                Sql sql = server.sql()) {
            makeTables(sql);
            MysqlUser user = MysqlUser.tributary(release).createForTributary(server);
            TableListing list = list(server, user.name(), user.password());
            assertEquals(
                    List.of(
                            "odd-schema = odd-schema",
                            "odd-schema.täble = odd-schema.täble",
                            "shop = shop",
                            "shop.orders_0 = shop.orders",
                            "shop.orders_1 = shop.orders"),
                    listed(list),
                    release.toString());
            assertTrue(list.before().count() >= 7, list.before().line());
            String text = definitions(list, new TableName("odd-schema", "täble"), new TableName("shop", "gone"))
                    .get(0);
            assertTrue(text.startsWith("odd-schema.täble: CREATE TABLE `täble` ( `id` int"), text);
            sql.execute("CREATE TABLE shop.later (id INT)");
            GtidSet executed = list.end().join();
            assertEquals(1, executed.minus(list.before()).count());
        }
    }

    /** Runs a statement on the shard while its tables are read. */
    private void ddlWaitsNotLongerThanTheLimit(MysqlRelease release, String right) throws Exception {
        try (MysqlServer server = MysqlServer.start(MysqlOptions.named("names").of(release));
                Sql sql = server.sql()) {
            makeTables(sql);
            MysqlUser user = MysqlUser.tributary(release).createForTributary(server);
            TableListing unlocked = list(server, user.name(), user.password());
            sql.execute("SET lock_wait_timeout = 1", "CREATE TABLE shop.later (id INT)");
            unlocked.close();
            sql.execute("GRANT " + right + " ON *.* TO 'tributary'@'%'");
            TableListing locked = list(server, user.name(), user.password());
            assertThrows(SQLException.class, () -> sql.execute("ALTER TABLE shop.later ADD c INT"));
            sql.execute("INSERT INTO shop.later VALUES (1)");
            assertEquals(1, definitions(locked, new TableName("shop", "later")).size());
            GtidSet executed = locked.end().join();
            assertEquals(1, executed.minus(locked.before()).count(), "the row");
            sql.execute("SET lock_wait_timeout = 60", "ALTER TABLE shop.later ADD c INT");
            TableListing forgotten = list(server, user.name(), user.password());
            sql.execute("ALTER TABLE shop.later ADD d INT");
            assertEquals(
                    1, definitions(forgotten, new TableName("shop", "later")).size());
            assertEquals(1, forgotten.end().join().minus(forgotten.before()).count(), "the statement that waited");
        }
    }

    @Test
    void ddlWaitsNotLongerThanTheLimitAndOnlyWithTheRight() throws Exception {
        ddlWaitsNotLongerThanTheLimit(MysqlRelease.MYSQL_8_0_31, "BACKUP_ADMIN");
    }

    @Test
    void ddlOfMariadbWaitsNotLongerThanTheLimit() throws Exception {
        requireMariadb();
        ddlWaitsNotLongerThanTheLimit(MysqlRelease.MARIADB_10_11, "RELOAD");
    }

    @Test
    void baseTablesAndSchemasAreListedWithTheirLogicalNames() throws Exception {
        listsBaseTablesAndSchemas(MysqlRelease.MYSQL_8_0_31);
    }

    private static void requireMariadb() {
        try {
            MysqlRelease.MARIADB_10_11.distribution();
        } catch (RuntimeException e) { // no Debian, or no network
            throw new TestAbortedException("MariaDB is not available: " + e.getMessage(), e);
        }
    }

    @Test
    void listsTablesAndSchemasOfMariadb() throws Exception {
        requireMariadb();
        listsBaseTablesAndSchemas(MysqlRelease.MARIADB_10_11);
    }

    @Test
    void refusesAnAccountThatDoesNotSeeAllTablesWithTheMissingGrant() throws Exception {
        try (MysqlServer server = MysqlServer.start("names");
                Sql sql = server.sql()) {
            makeTables(sql);
            MysqlUser poor = new MysqlUser("poor", "secret", MysqlUser.CACHING_SHA2)
                    .create(server, "REPLICATION SLAVE, REPLICATION CLIENT ON *.*", "SELECT ON shop.*");
            CompletionException thrown =
                    assertThrows(CompletionException.class, () -> list(server, poor.name(), poor.password()));
            TributaryException failure = (TributaryException) thrown.getCause();
            assertEquals(ErrorCode.SHARD_UNFIT, failure.code());
            assertTrue(
                    failure.getMessage().endsWith("runs there: GRANT SELECT ON *.* TO 'poor'@'%'"),
                    failure.getMessage());
            sql.execute("GRANT SELECT ON *.* TO 'poor'@'%'");
            assertEquals(5, listed(list(server, poor.name(), poor.password())).size());
            sql.execute("SET GLOBAL partial_revokes = ON", "REVOKE SELECT ON mysql.* FROM 'poor'@'%'");
            assertEquals(5, listed(list(server, poor.name(), poor.password())).size(), "a filtered schema");
            sql.execute("REVOKE SELECT ON `odd-schema`.* FROM 'poor'@'%'");
            assertThrows(CompletionException.class, () -> list(server, poor.name(), poor.password()));
        }
    }

    @Test
    void anActiveRoleCounts() throws Exception {
        try (MysqlServer server = MysqlServer.start("names");
                Sql sql = server.sql()) {
            makeTables(sql);
            MysqlUser user = new MysqlUser("member", "secret", MysqlUser.CACHING_SHA2)
                    .create(server, "REPLICATION SLAVE, REPLICATION CLIENT ON *.*");
            sql.execute(
                    "CREATE ROLE seer",
                    "GRANT SELECT ON *.* TO seer",
                    "GRANT seer TO 'member'@'%'",
                    "SET DEFAULT ROLE seer TO 'member'@'%'");
            assertEquals(5, listed(list(server, user.name(), user.password())).size());
        }
    }

    @Test
    void namesAnUnreachableShard() {
        CompletionException thrown = assertThrows(
                CompletionException.class,
                () -> names.of("s1", ShardConfig.of("127.0.0.1", 1, "u", "p"), CLIENT, true)
                        .join());
        TributaryException failure = (TributaryException) thrown.getCause();
        assertEquals(ErrorCode.SHARD_UNREACHABLE, failure.code());
        assertTrue(failure.getMessage().startsWith("shard s1: "), failure.getMessage());
    }
}
