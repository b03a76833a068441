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

/** The definitions of tables of every kind on a real server: the same in bulk and one by one. */
class DefinitionFetchTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final EventLoopGroup GROUP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final List<TableName> TABLES = new ArrayList<>();
    private static final Map<TableName, String> SHOWN =
            new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));

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
                    "ALTER TABLE keyless ALTER COLUMN a DROP DEFAULT");
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

    private static Optional<TableDefinition> read(TableName table, String text) {
        return DefinitionReader.create(text, ReadSession.standard(table.schema()), like -> Optional.empty());
    }

    /**
     * Lines of columns, keys and constraints, without parts that affect no row and no constraint. Keys may have another order, and a nullable
     * column may lack its default NULL.
     */
    private static List<String> elements(String shown) {
        String collation = shown.substring(shown.lastIndexOf(" COLLATE=") + 9).split(" ", 2)[0];
        String text = shown.replace(" USING HASH", "")
                .replaceAll(" /\\*!50100 WITH PARSER `ngram` \\*/ ", "")
                .replaceAll("(?<!CHARACTER SET \\w{1,20}) COLLATE " + collation, "")
                .replace("`a` int,", "`a` int DEFAULT NULL,");
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
    void bulkDefinitionsAreTheSameAsThoseOfShowCreateTable() {
        assertTrue(TABLES.size() > 100, () -> "tables: " + TABLES.size());
        Map<TableName, String> bulk = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        TableTexts texts = fetched(TABLES);
        texts.forEach(bulk::put);
        assertEquals(SHOWN.keySet(), bulk.keySet());
        List<String> others = new ArrayList<>();
        SHOWN.forEach((table, shown) -> {
            Optional<TableDefinition> ofBulk = read(table, bulk.get(table));
            Optional<TableDefinition> ofShown = read(table, shown);
            boolean isSame = ofBulk.isPresent()
                    && ofShown.isPresent()
                    && Conformity.differences(ofShown.get(), ofBulk.get()).isEmpty()
                    && ofShown.get().columns().equals(ofBulk.get().columns())
                    && ofShown.get().collation().equals(ofBulk.get().collation());
            if (!isSame) {
                others.add(shown + "\nread as " + ofShown + "\nbut was\n" + bulk.get(table) + "\nread as " + ofBulk);
            }
        });
        assertEquals(List.of(), others);
        assertEquals(Optional.of(bulk.get(TABLES.get(0))), texts.text(TABLES.get(0)));
        assertEquals(Optional.empty(), texts.text(new TableName("corpus", "none")));
    }

    @Test
    void usesInformationSchemaOnlyIfItIsExact() {
        DefinitionQueries.Rows rows = connection.await(new DefinitionQueries(connection).ask(TABLES), LIMIT);
        DefinitionPage page = new DefinitionPage(rows, new HashSet<>(TABLES));
        TableTexts.Builder exact = new TableTexts.Builder();
        page.addTo(exact);
        List<String> others = new ArrayList<>();
        exact.build().forEach((table, text) -> {
            if (!elements(SHOWN.get(table)).equals(elements(text))) {
                others.add(SHOWN.get(table) + "\nbut was\n" + text);
            }
        });
        assertEquals(List.of(), others);
        assertEquals(TABLES.size(), exact.build().size() + page.inexact().size());
        assertTrue(page.inexact().size() <= 12, () -> "asked one by one: " + page.inexact());
    }

    @Test
    void leavesOutADroppedTableAndReadsTheOthers() {
        List<TableName> wanted = new ArrayList<>(TABLES.subList(0, 3));
        wanted.add(1, new TableName("corpus", "gone"));
        List<TableName> found = new ArrayList<>();
        fetched(wanted).forEach((table, text) -> found.add(table));
        assertEquals(TABLES.subList(0, 3), found);
        assertEquals(0, fetched(List.of()).size());
    }
}
