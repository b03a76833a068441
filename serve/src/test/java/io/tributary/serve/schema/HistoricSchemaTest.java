package io.tributary.serve.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Journal.Put;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.history.SchemaHistory;
import io.tributary.serve.sql.SqlReader;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers about tables that the shard has altered since are the shard's earlier answers: with a real server and tables of all types. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HistoricSchemaTest {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE numbers (a TINYINT, b SMALLINT UNSIGNED, c MEDIUMINT ZEROFILL, d INT NOT NULL AUTO_INCREMENT"
                    + " PRIMARY KEY, e BIGINT UNSIGNED DEFAULT 7, f DECIMAL(12,3) NOT NULL DEFAULT 1.5, g FLOAT, h DOUBLE(9,2),"
                    + " i BIT(5) DEFAULT b'101', j TINYINT(1), k BOOL DEFAULT TRUE, l YEAR, m REAL)",
            "CREATE TABLE texts (a CHAR(3) NOT NULL, b VARCHAR(300) CHARACTER SET latin1 DEFAULT 'it''s', c TINYTEXT, d TEXT,"
                    + " e MEDIUMTEXT, f LONGTEXT, g ENUM('x','long one') NOT NULL DEFAULT 'x', h SET('a','bb') COLLATE"
                    + " utf8mb4_bin, i BINARY(4), j VARBINARY(9) DEFAULT 'ab', k TINYBLOB, l BLOB, m MEDIUMBLOB, n LONGBLOB,"
                    + " o JSON, p VARCHAR(10) DEFAULT '', q CHAR(10) CHARACTER SET utf8mb3)",
            "CREATE TABLE times (a DATE DEFAULT '2024-02-29', b TIME(2), c DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE"
                    + " CURRENT_TIMESTAMP(6), d TIMESTAMP NULL, e TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, f DATETIME NOT"
                    + " NULL ON UPDATE CURRENT_TIMESTAMP, g DATETIME)",
            "CREATE TABLE shapes (a GEOMETRY, b POINT NOT NULL SRID 4326, c POLYGON, d MULTIPOINT, SPATIAL KEY s (b))",
            "CREATE TABLE made (a INT, b INT GENERATED ALWAYS AS (a + 1) VIRTUAL, c INT AS (a * 2) STORED NOT NULL, d"
                    + " VARCHAR(40) DEFAULT (UUID()), e INT INVISIBLE, f INT DEFAULT (1 + 2))",
            "CREATE TABLE keyed (a INT NOT NULL, b VARCHAR(50), c INT, d TEXT, e INT NOT NULL, f INT, UNIQUE KEY u (e), UNIQUE"
                    + " KEY v (c, f), KEY w (b(10), c DESC), FULLTEXT KEY x (d), KEY y ((a + c)), KEY z (f) INVISIBLE)",
            "CREATE TABLE parent (a INT, b INT, PRIMARY KEY (b, a), UNIQUE KEY n (a))",
            "CREATE TABLE child (a INT PRIMARY KEY, b INT, CONSTRAINT f FOREIGN KEY (b) REFERENCES parent (a) ON DELETE"
                    + " CASCADE, CONSTRAINT c CHECK (b > 3), CONSTRAINT d CHECK (b < 9) NOT ENFORCED)",
            "CREATE TABLE plain (a INT)",
            "CREATE TABLE dropped (a INT, b VARCHAR(3))");

    /** Columns that a definition does not contain. */
    private static final List<String> ABSENT =
            List.of("PRIVILEGES", "Privileges", "CARDINALITY", "Cardinality", "POSITION_IN_UNIQUE_CONSTRAINT");

    private static final List<String> QUESTIONS = List.of(
            "SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' ORDER BY TABLE_NAME, ORDINAL_POSITION",
            "SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'shop' ORDER BY TABLE_NAME, INDEX_NAME,"
                    + " SEQ_IN_INDEX",
            "SELECT * FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = 'shop' ORDER BY TABLE_NAME,"
                    + " CONSTRAINT_NAME, CONSTRAINT_TYPE",
            "SELECT * FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = 'shop' ORDER BY TABLE_NAME,"
                    + " CONSTRAINT_NAME, ORDINAL_POSITION",
            "SELECT c.TABLE_NAME, c.COLUMN_NAME, t.TABLE_TYPE FROM information_schema.COLUMNS c JOIN"
                    + " information_schema.TABLES t USING (TABLE_SCHEMA, TABLE_NAME) WHERE c.TABLE_SCHEMA = 'shop' ORDER BY 1, 2",
            "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN ('shop', 'other') ORDER BY 1",
            "SHOW TABLES FROM shop",
            "SHOW FULL TABLES FROM shop");

    @TempDir
    static Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventExecutorGroup workers = new DefaultEventExecutorGroup(1);
    private final Map<String, List<Map<String, String>>> before = new TreeMap<>();
    private final List<String> failed = new ArrayList<>();
    private MysqlServer server;
    private Dumper dumper;
    private StageRunner runner;
    private SchemaHistory history;
    private SchemaProxy shard;
    private HistoricSchema schema;

    @BeforeAll
    void start() throws Exception {
        server = MysqlServer.start("shard");
        server.execute("CREATE DATABASE shop", "USE shop");
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(20_000));
        TaskStream task = new TaskStream(1, Optional.empty());
        try (Sql sql = server.sql()) {
            sql.execute("SET sql_mode = ''", "USE shop");
            for (String create : TABLES) {
                sql.execute(create);
                String name = name(create);
                String text = sql.rows("SHOW CREATE TABLE " + name).get(0).get("Create Table");
                TableName table = new TableName("shop", name);
                String canonical = CreateTable.text(
                        DefinitionReader.create(text, ReadSession.standard("shop"), other -> Optional.empty())
                                .orElseThrow()
                                .named(table));
                Put put = new Put("d\0shop\0" + name + "\0", canonical.getBytes(StandardCharsets.UTF_8));
                dumper.put(task.change(List.of(put), List.of()));
                dumper.put(task.batch(1));
            }
            sql.execute("CREATE TABLE unknown_here (a INT)");
        }
        dumper.put(task.cut());
        dumper.run();
        history = new SchemaHistory(dumper.files(), dumper.files()::durableEnd);
        runner = new StageRunner((stage, cause) -> failed.add(cause.toString())).onOwnThread(history);
        runner.start();
        SchemaProxyConfig config = new ConfigReader(List.of(SchemaProxyConfig.class))
                .read("test", List.of(), Map.of())
                .get(SchemaProxyConfig.class);
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        shard = new SchemaProxy(
                config,
                () -> endpoint,
                new LogicalNames(
                        UnaryOperator.identity(),
                        true,
                        Set.of("mysql", "sys", "performance_schema", "information_schema")),
                new ServeThreads(group, workers),
                Clock.SYSTEM);
        schema = new HistoricSchema(shard, history);
        for (String question : questions()) {
            before.put(question, onShard(question));
        }
        for (String create : TABLES) { // as if the binlog were older than the shard
            String name = name(create);
            server.execute(
                    name.equals("dropped")
                            ? "DROP TABLE shop.dropped"
                            : "ALTER TABLE shop." + name + " ADD COLUMN later INT FIRST");
        }
    }

    @AfterAll
    void end() throws Exception {
        runner.close();
        shard.close();
        dumper.close();
        server.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        workers.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        assertEquals(List.of(), failed);
    }

    private static String name(String create) {
        return create.split(" ", -1)[2];
    }

    private static List<String> questions() {
        List<String> all = new ArrayList<>(QUESTIONS);
        for (String create : TABLES) {
            all.add("SHOW FULL COLUMNS FROM shop." + name(create));
            all.add("SHOW COLUMNS FROM shop." + name(create) + " LIKE '_'");
            all.add("SHOW INDEX FROM shop." + name(create));
            all.add("SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' AND"
                    + " TABLE_NAME = '" + name(create) + "' ORDER BY ORDINAL_POSITION");
        }
        return all;
    }

    private List<Map<String, String>> onShard(String question) throws SQLException {
        try (Sql sql = server.sql()) {
            sql.execute("SET information_schema_stats_expiry = 0");
            return compared(sql.rows(question));
        }
    }

    private static List<Map<String, String>> compared(List<Map<String, String>> rows) {
        rows.forEach(row -> row.keySet().removeAll(ABSENT));
        return rows;
    }

    private static SchemaQuestion question(String sql) {
        SchemaStatements.Asker asker = new SchemaStatements.Asker("shop", "8.0.31");
        SqlReader reader = new SqlReader(sql);
        return reader.accept("SHOW")
                ? SchemaStatements.show(reader, asker).orElseThrow()
                : SchemaStatements.select(select(reader), asker);
    }

    private static SqlReader select(SqlReader reader) {
        reader.expect("SELECT");
        return reader;
    }

    private static ResultSet ask(SchemaSource source, SchemaQuestion question) throws Exception {
        return source.ask(question).get(60, TimeUnit.SECONDS);
    }

    private static List<Map<String, String>> rows(ResultSet result) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (List<String> values : result.rows()) {
            Map<String, String> row = new TreeMap<>();
            for (int i = 0; i < values.size(); i++) {
                row.put(result.columns().get(i).name(), values.get(i));
            }
            rows.add(row);
        }
        return compared(rows);
    }

    private static List<String> lines(List<Map<String, String>> rows) {
        return rows.stream().map(row -> new TreeMap<>(row).toString()).toList();
    }

    @Test
    void everyAnswerIsTheShardsEarlierAnswer() throws Exception {
        int differing = 0;
        List<String> wrong = new ArrayList<>();
        for (String question : questions()) {
            List<String> expected = lines(before.get(question));
            List<String> answer = lines(rows(ask(schema, question(question))));
            for (int i = 0; i < Math.max(expected.size(), answer.size()); i++) {
                String one = i < expected.size() ? expected.get(i) : "no row";
                String other = i < answer.size() ? answer.get(i) : "no row";
                if (!one.equals(other)) {
                    wrong.add(question + "\nexpected " + one + "\n     was " + other);
                }
            }
            differing += expected.equals(lines(onShardOrNone(question))) ? 0 : 1;
        }
        assertEquals("", String.join("\n", wrong));
        assertTrue(differing > 20, differing + " answers differ from the shard's current ones");
    }

    private List<Map<String, String>> onShardOrNone(String question) {
        try {
            return onShard(question);
        } catch (SQLException e) { // the table that has been dropped
            return List.of();
        }
    }

    @Test
    void showCreateTableHasTheEarlierColumns() throws Exception {
        String text =
                ask(schema, question("SHOW CREATE TABLE keyed")).rows().get(0).get(1);
        assertTrue(text.startsWith("CREATE TABLE `keyed` (\n  `a` int NOT NULL"), text);
        assertFalse(text.contains("later"), text);
        assertTrue(ask(schema, question("SHOW CREATE TABLE dropped"))
                .rows()
                .get(0)
                .get(1)
                .contains("`b` varchar(3)"));
        String live = ask(schema, question("SHOW CREATE TABLE unknown_here"))
                .rows()
                .get(0)
                .get(1);
        assertTrue(live.contains("ENGINE=InnoDB"), live);
    }

    @Test
    void aReaderOfSomeTablesSeesNoOthers() throws Exception {
        TableFilter some = TableFilter.parse("shop.child");
        SchemaQuestion tables = question("SHOW TABLES").by(some);
        assertEquals("[[child]]", ask(schema, tables).rows().toString());
        SchemaQuestion keys = question(
                        "SELECT CONSTRAINT_NAME, REFERENCED_TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE")
                .by(some);
        assertEquals("[[PRIMARY, null]]", ask(schema, keys).rows().toString());
        String text = ask(schema, question("SHOW CREATE TABLE child").by(some))
                .rows()
                .get(0)
                .get(1);
        assertFalse(text.contains("parent"), text);
        assertThrows(
                ExecutionException.class,
                () -> ask(schema, question("SHOW CREATE TABLE plain").by(some)));
        assertThrows(
                ExecutionException.class,
                () -> ask(schema, question("SHOW COLUMNS FROM dropped").by(some)));
    }

    @Test
    void withoutAShardKnownTablesAreAnswered() throws Exception {
        HistoricSchema alone = new HistoricSchema(SchemaSource.NONE, history);
        assertEquals("[[shop]]", ask(alone, question("SHOW DATABASES")).rows().toString());
        assertEquals(
                "[[dropped, BASE TABLE], [keyed, BASE TABLE]]",
                ask(alone, question("SHOW FULL TABLES LIKE '%ed'")).rows().toString());
        assertTrue(ask(alone, question("SHOW CREATE TABLE plain"))
                .rows()
                .get(0)
                .get(1)
                .contains("`a` int"));
        assertEquals(
                lines(before.get("SHOW FULL COLUMNS FROM shop.texts")),
                lines(rows(ask(alone, question("SHOW FULL COLUMNS FROM texts")))));
        assertThrows(
                ExecutionException.class,
                () -> ask(alone, question("SELECT * FROM information_schema.COLUMNS WHERE TABLE_NAME = 'plain'")));
    }

    @Test
    void namesThatAreSpecificToAShardDoNotCount() {
        String live =
                "CREATE TABLE `orders` (`id` int NOT NULL, `item` int DEFAULT NULL, PRIMARY KEY (`id`), CONSTRAINT `fk_0`"
                        + " FOREIGN KEY (`item`) REFERENCES `items` (`id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
                        + " COLLATE=utf8mb4_0900_ai_ci";
        TableName orders = new TableName("shop", "orders");
        assertTrue(HistoricSchema.isDefinitionOf(
                live,
                DefinitionReader.create(
                                live.replace("fk_0", "fk_1").replace("`items`", "`items_1`"),
                                ReadSession.standard("shop"),
                                other -> Optional.empty())
                        .orElseThrow()
                        .named(orders)));
        assertFalse(HistoricSchema.isDefinitionOf(
                live,
                DefinitionReader.create(
                                live.replace("`item` int", "`item` bigint"),
                                ReadSession.standard("shop"),
                                other -> Optional.empty())
                        .orElseThrow()
                        .named(orders)));
    }
}
