package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the statements of JDBC drivers and tools: schemas of a shard with mapped names, administrative statements, positions in the binlog. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatementsIT {
    private LocalCluster cluster;

    /** Each shard has some of the physical tables of the logical schema shop. */
    @BeforeAll
    void start(@TempDir Path folder) throws SQLException {
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("table.map.shop.from", "shop_\\d+\\.(orders|items)_\\d+")
                        .set("table.map.shop.to", "shop.$1")
                        .set("table.map.shopschema.from", "shop_\\d+")
                        .set("table.map.shopschema.to", "shop")
                        .set("serve.schema.user", "schema_reader")
                        .set("serve.schema.password", "schema-secret"));
        for (int i = 0; i < 2; i++) {
            MysqlServer shard = cluster.shards().get(i);
            shard.execute(
                    "CREATE DATABASE shop_" + i,
                    "CREATE TABLE shop_" + i + ".items_" + i + " (id INT PRIMARY KEY, name VARCHAR(20)) COMMENT 'x'",
                    "CREATE TABLE shop_" + i + ".orders_" + i
                            + " (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                            + " item INT, at DATETIME(3), KEY by_item (item),"
                            + " CONSTRAINT fk_" + i + " FOREIGN KEY (item) REFERENCES items_" + i + " (id))",
                    "CREATE USER 'schema_reader'@'%' IDENTIFIED BY 'schema-secret'",
                    "GRANT SELECT ON shop_" + i + ".* TO 'schema_reader'@'%'");
        }
        cluster.node().start();
        for (int i = 0; i < 2; i++) {
            cluster.shards().get(i).execute("INSERT INTO shop_" + i + ".items_" + i + " VALUES (" + i + ", 'a')");
        }
        cluster.awaitAllWritten(Invariants.LIMIT);
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + cluster.servePort() + "/shop?allowPublicKeyRetrieval=true&sslMode=DISABLED&"
                        + options,
                LocalCluster.READER.name(),
                LocalCluster.READER.password());
    }

    private static List<String> column(ResultSet rows, String name) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(name));
        }
        return values;
    }

    private static List<String> column(Connection connection, String sql, int column) throws SQLException {
        List<String> values = new ArrayList<>();
        try (var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(column));
            }
        }
        return values;
    }

    @Test
    void connectorJSeesLogicalTablesByInformationSchemaAndByShow() throws SQLException {
        for (String option : List.of("useInformationSchema=true", "useInformationSchema=false")) {
            try (Connection connection = connect(option)) {
                var meta = connection.getMetaData();
                assertEquals(
                        List.of("items", "orders"),
                        column(meta.getTables("shop", null, "%", new String[] {"TABLE"}), "TABLE_NAME"),
                        option);
                assertEquals(
                        List.of("id", "item", "at"),
                        column(meta.getColumns("shop", null, "orders", "%"), "COLUMN_NAME"),
                        option);
                assertEquals(List.of("id"), column(meta.getPrimaryKeys("shop", null, "orders"), "COLUMN_NAME"), option);
                assertTrue(
                        column(meta.getIndexInfo("shop", null, "orders", false, true), "INDEX_NAME")
                                .contains("by_item"),
                        option);
                assertTrue(column(meta.getCatalogs(), "TABLE_CAT").contains("shop"), option);
            }
        }
    }

    @Test
    void preparedStatementsAreAnsweredInBinaryForm() throws SQLException {
        String zongji = "SELECT COLUMN_NAME, COLLATION_NAME, CHARACTER_SET_NAME, COLUMN_COMMENT, COLUMN_TYPE,"
                + " ORDINAL_POSITION FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA=? AND TABLE_NAME=? AND"
                + " ORDINAL_POSITION >= ? ORDER BY ORDINAL_POSITION";
        try (Connection connection = connect("useServerPrepStmts=true");
                PreparedStatement statement = connection.prepareStatement(zongji)) {
            for (int first = 1; first <= 2; first++) {
                statement.setString(1, "shop");
                statement.setString(2, "items");
                statement.setInt(3, first);
                try (ResultSet rows = statement.executeQuery()) {
                    if (first == 1) {
                        assertTrue(rows.next());
                        assertEquals("id", rows.getString(1));
                        assertEquals(null, rows.getString(2));
                        assertEquals(1, rows.getInt(6));
                    }
                    assertTrue(rows.next());
                    assertEquals("name", rows.getString(1));
                    assertEquals("varchar(20)", rows.getString(5));
                    assertEquals(2, rows.getInt(6));
                    assertFalse(rows.next());
                }
            }
        }
    }

    @Test
    void theQueriesOfDebeziumAreAnsweredWithLogicalNames() throws SQLException {
        try (Connection connection = connect("useInformationSchema=true")) {
            for (String sql : List.of(
                    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                    "SET SESSION lock_wait_timeout=10",
                    "FLUSH TABLES WITH READ LOCK",
                    "START TRANSACTION WITH CONSISTENT SNAPSHOT")) {
                try (var statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
            assertEquals(List.of("shop"), column(connection, "SHOW DATABASES", 1));
            assertEquals(
                    List.of("items", "orders"),
                    column(connection, "SHOW FULL TABLES IN `shop` where Table_Type = 'BASE TABLE'", 1));
            String ddl =
                    column(connection, "SHOW CREATE TABLE `shop`.`orders`", 2).get(0);
            assertTrue(ddl.startsWith("CREATE TABLE `orders` (") && ddl.contains("REFERENCES `items` (`id`)"), ddl);
            assertEquals(List.of("orders"), column(connection, "SHOW TABLE STATUS LIKE 'ord%'", 1));
            assertEquals(List.of("id", "item", "at"), column(connection, "show full columns from `shop`.`orders`", 1));
            assertEquals(
                    "orders",
                    column(connection, "show index from `shop`.`orders`", 1).get(0));
            assertEquals(
                    List.of("shop"),
                    column(
                            connection,
                            "SELECT schema_name, default_character_set_name, default_collation_name FROM"
                                    + " information_schema.schemata",
                            1));
            SQLException rows =
                    assertThrows(SQLException.class, () -> column(connection, "SELECT * FROM `shop`.`orders`", 1));
            assertEquals(1235, rows.getErrorCode());
            SQLException physical =
                    assertThrows(SQLException.class, () -> column(connection, "SHOW CREATE TABLE shop_0.orders_0", 1));
            assertEquals(1146, physical.getErrorCode());
            assertEquals(List.of("UNLOCKED"), unlocked(connection));
        }
    }

    @Test
    void aUserOfSomeTablesDoesNotSeeTheNamesOfOthers() throws Exception {
        new UserCommand(cluster.node()).run("some of them", "add", "some", "--tables", "shop.orders");
        String keys = "SELECT CONSTRAINT_NAME, TABLE_SCHEMA, TABLE_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME"
                + " FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = 'shop' ORDER BY TABLE_NAME, 1";
        try (Sql all = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            assertEquals(List.of("items PRIMARY null", "orders fk_0 items", "orders PRIMARY null"), keysOf(all, keys));
        }
        try (Sql some = Sql.open(cluster.servePort(), "some", "some of them")) {
            assertEquals(List.of("orders PRIMARY null"), keysOf(some, keys));
            assertEquals(List.of(), some.rows("SELECT * FROM information_schema.VIEWS"));
        }
    }

    private static List<String> keysOf(Sql sql, String statement) throws SQLException {
        return sql.rows(statement).stream()
                .map(row -> row.get("TABLE_NAME") + " " + row.get("CONSTRAINT_NAME") + " "
                        + row.get("REFERENCED_TABLE_NAME"))
                .toList();
    }

    private static List<String> unlocked(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("UNLOCK TABLES");
        }
        return column(connection, "SELECT 'UNLOCKED'", 1);
    }

    @Test
    void theNodeShowsItsStatusInSql() throws SQLException {
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            assertTrue(sql.rows("SHOW TRIBUTARY STATUS").stream()
                    .anyMatch(row ->
                            row.get("Name").equals("role") && row.get("Value").equals("standalone")));
            assertEquals(
                    List.of("s1", "s2"),
                    sql.rows("SHOW TRIBUTARY SHARDS").stream()
                            .map(row -> row.get("Shard"))
                            .toList());
            assertEquals(2, sql.rows("SHOW TRIBUTARY LAG").size());
            SQLException backups = assertThrows(SQLException.class, () -> sql.rows("SHOW TRIBUTARY BACKUPS"));
            assertTrue(backups.getMessage().contains("backup.directory"), backups.getMessage());
            MysqlServer first = cluster.shards().get(0);
            first.execute(
                    "XA START 'hangs'",
                    "INSERT INTO shop_0.items_0 VALUES (77, 'xa')",
                    "XA END 'hangs'",
                    "XA PREPARE 'hangs'");
            Await.until(
                    "the branch to be shown",
                    Invariants.LIMIT,
                    () -> !sql.rows("SHOW TRIBUTARY XA").isEmpty());
            var shown = sql.rows("SHOW TRIBUTARY XA").get(0);
            assertEquals("s1", shown.get("Shard"));
            assertEquals("prepared", shown.get("State"));
            first.execute("XA COMMIT 'hangs'");
            cluster.awaitAllWritten(Invariants.LIMIT);
        }
    }

    @Test
    void aPositionIsFoundAndAFileIsRotatedAndPurged() throws Exception {
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            String uuid = sql.text("SELECT @@server_uuid");
            String before = sql.rows("SHOW MASTER STATUS").get(0).get("File");
            sql.execute("FLUSH BINARY LOGS");
            String after = sql.rows("SHOW MASTER STATUS").get(0).get("File");
            assertFalse(after.equals(before));
            cluster.shards().get(1).execute("INSERT INTO shop_1.items_1 VALUES (" + 500 + ", 'b')");
            cluster.awaitAllWritten(Invariants.LIMIT);
            String newest = sql.text("SELECT @@gtid_executed").replaceFirst(".*[:-](\\d+)$", "$1");
            MysqlTools.Outcome found = MysqlTools.run(List.of(
                    NodeProcess.projectHome().resolve("bin/tributary").toString(),
                    "find",
                    "-c",
                    cluster.node().configFile().toString(),
                    "--gtid",
                    uuid + ":" + newest));
            assertEquals(0, found.status(), found.output());
            var inSql = sql.rows("SHOW TRIBUTARY POSITION FOR GTID '" + uuid + ":" + newest + "'")
                    .get(0);
            assertTrue(found.output().contains(inSql.get("File")), found.output());
            assertTrue(found.output().contains(inSql.get("Position")), found.output());
            var event = sql.rows("SHOW BINLOG EVENTS IN '" + inSql.get("File") + "' FROM " + inSql.get("Position")
                            + " LIMIT 1")
                    .get(0);
            assertEquals("Gtid", event.get("Event_type"));
            assertTrue(event.get("Info").contains(uuid + ":" + newest), event.toString());
            sql.execute("PURGE BINARY LOGS TO '" + after + "'");
            assertEquals(after, sql.rows("SHOW BINARY LOGS").get(0).get("Log_name"));
            assertTrue(sql.text("SELECT @@gtid_purged").startsWith(uuid), sql.text("SELECT @@gtid_purged"));
        }
    }
}
