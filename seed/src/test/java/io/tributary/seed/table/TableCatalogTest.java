package io.tributary.seed.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Catalogs of a real server, which is two shards. */
class TableCatalogTest {
    private static final MultiThreadIoEventLoopGroup LOOP =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final MysqlClient CLIENT = new MysqlClient(LOOP);
    private static MysqlServer server;

    private final TableNames names = new TableNames(
            ExtractorConfig.of(1000, Map.of())
                    .withTableMap(Map.of(
                            "orders", new TableMapRule(Pattern.compile("shop_\\d\\.(orders|item`s)_\\d+"), "shop.$1"))),
            table -> table.startsWith("_"));

    @BeforeAll
    static void start() {
        server = MysqlServer.start("catalog");
    }

    @AfterAll
    static void end() {
        server.close();
        LOOP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @BeforeEach
    void tables() throws SQLException {
        server.execute(
                "DROP DATABASE IF EXISTS shop_1",
                "DROP DATABASE IF EXISTS bare",
                "CREATE DATABASE shop_1 CHARACTER SET latin1",
                "CREATE DATABASE bare CHARACTER SET gbk COLLATE gbk_bin",
                "CREATE TABLE shop_1.orders_00 (id INT PRIMARY KEY COMMENT 'REFERENCES `x`', v TEXT,"
                        + " CHECK (id > 0)) COMMENT 'CONSTRAINT `c`' PARTITION BY HASH (id) PARTITIONS 2",
                "CREATE TABLE shop_1.orders_01 LIKE shop_1.orders_00",
                "CREATE TABLE shop_1._orders_new LIKE shop_1.orders_00",
                "CREATE TABLE bare.parent (id INT PRIMARY KEY)",
                "CREATE TABLE shop_1.`item``s_00` (id INT PRIMARY KEY, p INT, q INT, FOREIGN KEY (p) REFERENCES"
                        + " bare.parent (id), CONSTRAINT mine FOREIGN KEY (q) REFERENCES `item``s_00` (id))",
                "CREATE TRIGGER shop_1.t BEFORE INSERT ON shop_1.orders_00 FOR EACH ROW SET NEW.v = 'x'",
                "CREATE VIEW bare.v AS SELECT id FROM bare.parent",
                "CREATE VIEW shop_1.orders_09 AS SELECT id FROM shop_1.orders_00");
    }

    private static Peer shard(String name, String user, String password) {
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.port(), user, password);
        return new Peer(Peer.Role.SHARD, name, endpoint, Duration.ofSeconds(20));
    }

    private TableCatalog read(Map<TableName, TableDefinition> known) {
        List<Peer> shards = List.of(
                shard("s1", MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                shard("s2", MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD));
        return new CatalogReader(CLIENT, shards, names).read(wanted -> known);
    }

    private static LogicalTable table(TableCatalog catalog, String name) {
        return catalog.tables().stream()
                .filter(table -> table.name().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tablesHaveLogicalNamesAndAllMembers() {
        TableCatalog catalog = read(Map.of());
        assertEquals(
                List.of("bare.parent", "shop.item`s", "shop.orders"),
                catalog.tables().stream().map(each -> each.name().toString()).toList());
        LogicalTable orders = table(catalog, "shop.orders");
        assertEquals(
                List.of(
                        "shard s1 shop_1.orders_00",
                        "shard s1 shop_1.orders_01",
                        "shard s2 shop_1.orders_00",
                        "shard s2 shop_1.orders_01"),
                orders.members().stream().map(ShardTable::toString).toList());
        String create = orders.createStatement();
        assertTrue(create.startsWith("CREATE TABLE `orders` ("), create);
        assertTrue(create.contains("CONSTRAINT `orders_chk_1` CHECK"), create);
        assertTrue(create.contains("COMMENT 'REFERENCES `x`'"), create);
        assertTrue(create.contains("COMMENT='CONSTRAINT `c`'"), create);
        assertTrue(create.contains("PARTITIONS 2"), create);
    }

    @Test
    void foreignKeysReferToLogicalNames() throws SQLException {
        TableCatalog catalog = read(Map.of());
        String create = table(catalog, "shop.item`s").createStatement();
        assertTrue(create.contains("CONSTRAINT `item``s_ibfk_1` FOREIGN KEY (`p`) REFERENCES `bare`.`parent`"), create);
        assertTrue(create.contains("CONSTRAINT `mine` FOREIGN KEY (`q`) REFERENCES `shop`.`item``s`"), create);
        try (Sql sql = server.sql()) {
            sql.execute("DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop", "USE shop", create);
            sql.execute(table(catalog, "shop.orders").createStatement(), "DROP DATABASE shop");
        }
    }

    @Test
    void schemasAndViewsAreListed() {
        TableCatalog catalog = read(Map.of());
        assertTrue(catalog.schemas().contains(new SchemaDefault("bare", "gbk", "gbk_bin")), catalog.toString());
        assertTrue(catalog.schemas().contains(new SchemaDefault("shop", "latin1", "latin1_swedish_ci")));
        assertTrue(catalog.views().stream()
                .anyMatch(view -> view.name().toString().equals("bare.v")
                        && view.createStatement().contains("VIEW `bare`.`v` AS")));
        assertEquals(
                List.of(
                        "view shop.orders: its text has the names of shard s1",
                        "view shop.orders: its text has the names of shard s2"),
                catalog.leftOut());
    }

    @Test
    void theDefinitionInTheBinlogCounts() {
        Map<TableName, TableDefinition> known = new HashMap<>();
        TableName orders = new TableName("shop", "orders");
        TableName gone = new TableName("shop", "gone");
        known.put(orders, definition("CREATE TABLE orders (id BIGINT PRIMARY KEY, v TEXT, w INT)"));
        known.put(
                gone,
                definition("CREATE TABLE gone (id INT PRIMARY KEY, r INT, FOREIGN KEY (r) REFERENCES gone (id))"));
        TableCatalog catalog = read(known);
        assertEquals(known.get(orders), table(catalog, "shop.orders").definition());
        assertTrue(table(catalog, "shop.orders").createStatement().contains("`w` int"));
        assertEquals(4, table(catalog, "shop.orders").members().size());
        assertEquals(List.of(), table(catalog, "shop.gone").members());
        assertTrue(table(catalog, "shop.gone").createStatement().startsWith("CREATE TABLE `gone` ("));
    }

    private static TableDefinition definition(String text) {
        return DefinitionReader.create(text, ReadSession.standard("shop"), other -> Optional.empty())
                .orElseThrow();
    }

    @Test
    void anAccountThatDoesNotSeeAllTablesIsRefused() throws SQLException {
        server.execute(
                "DROP USER IF EXISTS little",
                "CREATE USER little IDENTIFIED WITH mysql_native_password BY 'l'",
                "GRANT SELECT ON shop_1.* TO little");
        List<Peer> shards = List.of(shard("s1", "little", "l"));
        TributaryException refused = assertThrows(
                TributaryException.class, () -> new CatalogReader(CLIENT, shards, names).read(wanted -> Map.of()));
        assertEquals(ErrorCode.SHARD_UNFIT, refused.code());
        assertTrue(refused.getMessage().contains("GRANT SELECT ON *.* TO"), refused.getMessage());
    }
}
