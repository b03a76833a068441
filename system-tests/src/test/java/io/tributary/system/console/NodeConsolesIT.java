package io.tributary.system.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.command.log.StoredRowSearch;
import io.tributary.node.console.RowQuestion;
import io.tributary.node.console.RowSearch;
import io.tributary.node.process.StopSignal;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of each kind of process that is no member of a cluster with ZooKeeper, in a real browser: a Dumper with its Task and its relay, an
 * applier, a sink, and a standalone node; and the search for rows. The pictures are in target/console.
 */
class NodeConsolesIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MANY = 250;
    private static final String PASSWORD = "secret of admin";

    /** A value that would be markup, and would turn the text around it, if the page let it. */
    private static final String ODD = "<img src=x onerror=alert(1)>\u202e";

    private static final String ODD_SHOWN = "<img src=x onerror=alert(1)>\\u202e";

    @TempDir
    private Path folder;

    private final String transmit = "127.0.0.1:" + Ports.free();
    private final String relayed = "127.0.0.1:" + Ports.free();
    private LocalCluster cluster;
    private ConsoleBrowser browser;

    @Test
    void eachProcessShowsWhatItDoes() throws Exception {
        try (LocalCluster started = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> config.withoutTls()
                                .set("transmit.task", transmit)
                                .set("admin.user", "admin")
                                .set("admin.password", PASSWORD)
                                .set("admin.console.rows", "true"),
                        "--role",
                        "dumper");
                MysqlServer target =
                        MysqlServer.start(MysqlOptions.named("target").in(folder.resolve("target")));
                KafkaBrokers brokers = KafkaBrokers.one();
                ConsoleBrowser opened = new ConsoleBrowser()) {
            cluster = started;
            browser = opened;
            NodeProcess relay = cluster.newNode("relay", this::relay, "--role", "relay");
            NodeProcess task = cluster.newNode(
                    "task",
                    config -> open(config)
                            .set("transmit.listen", transmit)
                            .set("relay.far.address", relayed)
                            .set("relay.far.shards", "s2"),
                    "--role",
                    "task");
            NodeProcess applier = cluster.newNode("applier", config -> applier(config, target));
            NodeProcess sink = cluster.newNode("sink", config -> sink(config, brokers));
            NodeProcess dumper = cluster.node();
            List.of(relay, task, dumper, applier, sink)
                    .forEach(node -> node.with("TRIBUTARY_HEAP", "160m").launch());
            writeRows();
            dumper.awaitHealthy();
            Await.until(
                    () -> "the last row on the target: " + cluster.lastLines(),
                    LIMIT,
                    () -> has(target, "SELECT COUNT(*) FROM shop.orders WHERE id = 2"));
            shows(task, "2 shards, ordered by this node", "held", "links");
            shows(relay, "1 shard, read by this relay for a Task", "shards", "links");
            String from = "reads the binlog of 127.0.0.1:" + cluster.servePort() + " and ";
            shows(applier, from + "applies it to 127.0.0.1:" + target.port(), "replicas");
            browser.await("figures", "Lag");
            shows(sink, from + "sends it to Kafka at " + brokers.addresses(), "replicas");
            browser.await("h-replicas", "This sink");
            shows(
                    dumper,
                    "2 shards, ordered by the Task, written by this node, read by 2 readers",
                    "members",
                    "search");
            rows();
            pagesOfRows(dumper);
            task.close();
            relay.close();
            standalone();
        }
    }

    /** The page of a node has its topology as a sentence, the parts that it has, and no empty parts. */
    private void shows(NodeProcess node, String sentence, String... parts) throws IOException {
        browser.open(node.config().get("admin.listen"));
        browser.await("topology-hint", sentence);
        browser.await("live-text", "Live");
        browser.await("figures", "/s");
        for (String part : parts) {
            assertEquals(false, browser.run("return document.getElementById('" + part + "').hidden"), part);
        }
        String text = browser.text("main");
        assertFalse(text.contains("This node is not a member") || text.contains("does not order"), text);
        assertFalse(text.contains("serves no readers") || text.contains("reads no shards"), text);
        assertFalse(text.contains("No backup") && !List.of(parts).contains("search"), text);
        assertAccessible();
        browser.shotAll("node-" + node.name());
        browser.phone();
        browser.dark(true);
        Await.until(() -> "the page to be as wide as the phone", LIMIT, () -> !browser.isTooWide());
        assertAccessible();
        browser.shotAll("node-" + node.name() + "-phone-dark");
        browser.dark(false);
        browser.wide();
    }

    private static boolean has(MysqlServer target, String count) {
        try {
            return "1".equals(target.text(count));
        } catch (SQLException notYet) {
            return false;
        }
    }

    private void assertAccessible() {
        assertEquals("", browser.accessibilityProblems());
        assertEquals(List.of(), browser.errors());
    }

    /** Rows are found by their key, and shown only to those who have logged in. */
    private void rows() throws IOException {
        assertFalse(browser.text("search-body").contains("Find by"), browser.text("search-body"));
        browser.click("login");
        browser.type("login-user", "admin");
        browser.type("login-password", PASSWORD);
        browser.press("\n");
        browser.await("search-body", "Find by");
        browser.run("const kind = document.getElementById('search-kind'); kind.value = 'rows';"
                + " kind.dispatchEvent(new Event('change'))");
        browser.type("search-rows-table", "shop.orders");
        browser.type("search-rows-key", "1");
        browser.press("\n");
        browser.await("search-rows", "3 changes in the transactions ");
        String found = browser.text("search-rows");
        assertTrue(found.contains("INSERT") && found.contains("note: first"), found);
        assertTrue(found.contains("note: first → " + ODD_SHOWN), found);
        assertTrue(found.contains("DELETE"), found);
        assertAccessible();
        browser.shotAll("rows");
        browser.type("search-rows-key", "1,2");
        browser.press("\n");
        browser.await("search-error", "expected values for the 1 column of the key of shop.orders, found 2");
        browser.type("search-rows-key", "");
        browser.type("search-rows-until", "2020-01-01");
        browser.press("\n");
        browser.await("search-rows", "No such changes");
        browser.run("document.getElementById('login').click()");
        browser.await("search-body", "log in");
        assertFalse(browser.text("main").contains("note:"), "rows are removed at the end of a login");
    }

    /** A search that is continued page by page, and after it was stopped, finds each change once and in order. */
    private static void pagesOfRows(NodeProcess node) {
        BinlogConfig files =
                NodeKeys.read(node.configFile(), List.of(BinlogConfig.class)).get(BinlogConfig.class);
        List<String> found = new ArrayList<>();
        try (StoredRowSearch search = new StoredRowSearch(() -> files)) {
            StopSignal requested = new StopSignal();
            requested.request();
            Map<String, Object> page = page(search, "", requested);
            assertEquals(List.of(), page.get("rows"));
            int pages = 0;
            for (Object next = page.get("next"); next != null; next = page.get("next")) {
                page = page(search, next.toString(), new StopSignal());
                List<?> rows = (List<?>) page.get("rows");
                assertTrue(rows.size() <= RowSearch.MOST_ROWS, () -> rows.size() + " rows");
                rows.forEach(row -> found.add(change((Map<?, ?>) row)));
                pages++;
            }
            assertTrue(pages >= 2 * MANY / RowSearch.MOST_ROWS, () -> found.size() + " changes");
        }
        List<String> all = new ArrayList<>();
        for (String change : List.of("INSERT ", "UPDATE ")) {
            IntStream.range(0, MANY).forEach(id -> all.add(change + id));
        }
        found.removeIf(change -> change.startsWith("STATEMENT"));
        assertEquals(all, found);
    }

    private static String change(Map<?, ?> row) {
        return row.get("op") + " " + (row.get("key") instanceof Map<?, ?> key ? key.get("id") : "");
    }

    private static Map<String, Object> page(StoredRowSearch search, String after, StopSignal stop) {
        return search.find(
                        new RowQuestion("shop.many", List.of(), new RowQuestion.Range("", "", "", after)), true, stop)
                .join();
    }

    /** A node that does all: it reads the second shard alone. */
    private void standalone() throws Exception {
        NodeProcess alone = cluster.newNode("alone", config -> {
            List.of("host", "port", "user", "password", "tls").forEach(key -> config.remove("shard.s1." + key));
            return open(config).remove("transmit.task");
        });
        alone.with("TRIBUTARY_HEAP", "160m").start();
        shows(
                alone,
                "1 shard, ordered by this node, written by this node, read by 0 readers",
                "held",
                "members",
                "search");
        assertTrue(browser.text("main").contains("No backup is kept by this node"), "a node with files");
    }

    /** Without login. */
    private static NodeConfig open(NodeConfig config) {
        return config.remove("admin.user").remove("admin.password");
    }

    private NodeConfig relay(NodeConfig config) {
        List.of("host", "port", "user", "password", "tls").forEach(key -> config.remove("shard.s1." + key));
        return open(config).set("transmit.listen", relayed);
    }

    private NodeConfig applier(NodeConfig config, MysqlServer target) {
        return open(config)
                .set("node.role", "apply")
                .set("apply.nodes", "127.0.0.1:" + cluster.servePort())
                .set("apply.user", LocalCluster.READER.name())
                .set("apply.password", LocalCluster.READER.password())
                .set("apply.target", "127.0.0.1:" + target.port())
                .set("apply.target.user", MysqlServer.ROOT)
                .set("apply.target.password", MysqlServer.ROOT_PASSWORD)
                .set("apply.retry", "500ms");
    }

    private NodeConfig sink(NodeConfig config, KafkaBrokers brokers) {
        return open(config)
                .set("node.role", "sink")
                .set("sink.nodes", "127.0.0.1:" + cluster.servePort())
                .set("sink.name", "orders")
                .set("sink.user", LocalCluster.READER.name())
                .set("sink.password", LocalCluster.READER.password())
                .set("sink.brokers", brokers.addresses())
                .set("sink.retry", "500ms");
    }

    private void writeRows() throws SQLException {
        for (MysqlServer shard : cluster.shards()) {
            shard.execute("CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT PRIMARY KEY, note VARCHAR(50))");
            shard.execute("INSERT INTO shop.orders VALUES (" + (shard.serverId() * 1000) + ", 'row')");
        }
        String many = IntStream.range(0, MANY).mapToObj(id -> "(" + id + ", 0)").collect(Collectors.joining(","));
        cluster.shards()
                .get(0)
                .execute(
                        "CREATE TABLE shop.many (id INT PRIMARY KEY, n INT)",
                        "INSERT INTO shop.many VALUES " + many,
                        "UPDATE shop.many SET n = 1 ORDER BY id",
                        "INSERT INTO shop.orders VALUES (1, 'first')",
                        "UPDATE shop.orders SET note = '" + ODD + "' WHERE id = 1",
                        "DELETE FROM shop.orders WHERE id = 1",
                        "INSERT INTO shop.orders VALUES (2, 'last')");
    }
}
