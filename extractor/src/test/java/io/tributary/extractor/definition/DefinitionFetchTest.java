package io.tributary.extractor.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.TableTexts;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real server says of tables of every kind: in bulk as one by one. */
class DefinitionFetchTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final EventLoopGroup GROUP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final List<TableName> TABLES = new ArrayList<>();
    private static final Map<TableName, String> SHOWN = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));

    private static MysqlServer server;
    private static MysqlConnection connection;

    @BeforeAll
    static void create() throws Exception {
        server = MysqlServer.start("definitions");
        MysqlUser.tributary().createForTributary(server);
        try (Sql sql = server.sql()) {
            sql.execute(
                    "SET NAMES utf8mb4",
                    "SET sql_mode = '', time_zone = '+08:00', sql_generate_invisible_primary_key = OFF",
                    "CREATE DATABASE corpus_other CHARACTER SET latin1",
                    "CREATE TABLE corpus_other.parent (id INT PRIMARY KEY)",
                    "CREATE DATABASE corpus",
                    "USE corpus",
                    "CREATE TABLE parent (id INT PRIMARY KEY, x INT, y INT, KEY (x, y))");
            List<String> statements = DefinitionCorpus.statements();
            for (String statement : statements) {
                sql.execute(statement);
            }
            sql.execute(
                    "SET sql_generate_invisible_primary_key = ON",
                    "CREATE TABLE keyless (a INT)",
                    "ALTER TABLE t0 ALTER COLUMN c1 DROP DEFAULT");
            for (int i = 0; i < statements.size(); i++) {
                TABLES.add(new TableName("corpus", "t" + i));
            }
            TABLES.add(new TableName("corpus", "keyless"));
            TABLES.add(new TableName("corpus", "parent"));
            TABLES.add(new TableName("corpus_other", "parent"));
        }
        connection = new MysqlClient(GROUP)
                .connect(Endpoint.of(
                        "127.0.0.1",
                        server.port(),
                        MysqlUser.tributary().name(),
                        MysqlUser.tributary().password()))
                .join();
        DefinitionFetch.prepare(connection).join();
        for (TableName table : TABLES) {
            SHOWN.put(
                    table,
                    connection
                            .query("SHOW CREATE TABLE " + table.schema() + "." + table.table(), LIMIT)
                            .rows()
                            .get(0)
                            .text(1));
        }
    }

    @AfterAll
    static void stop() {
        connection.close();
        server.close();
        GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static TableTexts fetched(List<TableName> wanted) {
        DefinitionFetch fetch = new DefinitionFetch("s1", connection, wanted);
        while (!fetch.isDone()) {
            connection.await(fetch.awaited(), LIMIT);
            assertTrue(fetch.step());
        }
        assertFalse(fetch.step());
        return fetch.texts();
    }

    private static TableDefinition read(TableName table, String text) {
        Optional<TableDefinition> read =
                DefinitionReader.create(text, ReadSession.standard(table.schema()), like -> Optional.empty());
        assertTrue(read.isPresent(), () -> "unreadable: " + text);
        return read.get();
    }

    /** Lines of columns, keys and constraints; keys may stand in another order. */
    private static List<String> elements(String text) {
        List<String> lines = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (String line : text.substring(0, text.lastIndexOf("\n)")).split("\n", -1)) {
            String element = line.endsWith(",") ? line.substring(0, line.length() - 1) : line;
            (element.startsWith("  `") ? lines : keys).add(element);
        }
        keys.sort(null);
        lines.addAll(keys);
        return lines;
    }

    @Test
    void everyTableIsDescribedInBulkAsShowCreateTableDescribesIt() {
        assertTrue(TABLES.size() > 100, () -> "tables: " + TABLES.size());
        Map<TableName, String> bulk = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        TableTexts texts = fetched(TABLES);
        texts.forEach(bulk::put);
        assertEquals(SHOWN.keySet(), bulk.keySet());
        SHOWN.forEach((table, shown) -> {
            TableDefinition ofBulk = read(table, bulk.get(table));
            TableDefinition ofShown = read(table, shown);
            assertEquals(List.of(), Conformity.differences(ofShown, ofBulk), () -> shown + "\n" + bulk.get(table));
            assertEquals(ofShown.columns(), ofBulk.columns(), () -> shown + "\n" + bulk.get(table));
            assertEquals(ofShown.collation(), ofBulk.collation());
        });
        assertEquals(Optional.of(bulk.get(TABLES.get(0))), texts.text(TABLES.get(0)));
        assertEquals(Optional.empty(), texts.text(new TableName("corpus", "none")));
    }

    @Test
    void informationSchemaIsTakenAtItsWordOnlyWhereItSaysTheSame() {
        DefinitionQueries.Rows rows = connection.await(new DefinitionQueries(connection).ask(TABLES), LIMIT);
        DefinitionPage page = new DefinitionPage(rows, new HashSet<>(TABLES));
        TableTexts.Builder exact = new TableTexts.Builder();
        page.addTo(exact);
        exact.build()
                .forEach((table, text) -> assertEquals(elements(SHOWN.get(table)), elements(text), table::toString));
        assertEquals(TABLES.size(), exact.build().size() + page.inexact().size());
        assertTrue(page.inexact().size() <= 12, () -> "asked one by one: " + page.inexact());
    }

    @Test
    void aTableThatIsGoneIsLeftOutAndTheOthersAreThere() {
        List<TableName> wanted = new ArrayList<>(TABLES.subList(0, 3));
        wanted.add(1, new TableName("corpus", "gone"));
        List<TableName> found = new ArrayList<>();
        fetched(wanted).forEach((table, text) -> found.add(table));
        assertEquals(TABLES.subList(0, 3), found);
        assertEquals(0, fetched(List.of()).size());
    }
}
