package io.tributary.system.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web console in a real browser, with one cluster of three Dumpers, two of them also Tasks, over two shards: healthy, with a shard that is held,
 * and after its leader was killed; with a login, on a phone, in dark colours, by keyboard, and checked by the rules of accessibility. The pictures are
 * in target/console.
 */
class ConsoleIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PASSWORD = "secret of admin";

    @TempDir
    private Path folder;

    private ClusterNodes nodes;
    private LocalCluster cluster;
    private ConsoleBrowser browser;

    @Test
    void anOperatorSeesAHealthyClusterAHeldShardAndANewLeader() throws Exception {
        nodes = new ClusterNodes(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                0,
                3,
                config -> config.set("cluster.lease", "8s")
                        .set("ddl.warn", "300ms")
                        .set("ddl.rows", "refuse")
                        .withoutTls());
        List<NodeProcess> both = nodes.dumpers().subList(0, 2);
        both.forEach(node -> node.config()
                .set("node.roles", "task,dumper")
                .set("transmit.listen", "127.0.0.1:" + Ports.free()));
        NodeProcess third = nodes.dumpers().get(2);
        third.config().set("admin.user", "admin").set("admin.password", PASSWORD);
        nodes.dumpers().forEach(node -> node.with("TRIBUTARY_HEAP", "160m"));
        try (LocalCluster started = nodes.cluster();
                ConsoleBrowser opened = new ConsoleBrowser()) {
            cluster = started;
            browser = opened;
            nodes.launch(both);
            NodeProcess leader = nodes.awaitServing(0, LIMIT);
            third.launch();
            writeRows(0);
            healthy(leader, third);
            byKeyboard();
            search(leader);
            login(third);
            heldShard(leader, third);
            killedLeader(leader, third);
        }
    }

    private static String admin(NodeProcess node) {
        return node.config().get("admin.listen");
    }

    private void writeRows(int from) throws SQLException {
        for (MysqlServer shard : cluster.shards()) {
            if (from == 0) {
                shard.execute("CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT PRIMARY KEY, note VARCHAR(50))");
            }
            for (int i = 0; i < 5; i++) {
                shard.execute("INSERT INTO shop.orders VALUES (" + (shard.serverId() * 1000 + from + i) + ", 'row')");
            }
        }
    }

    private void healthy(NodeProcess leader, NodeProcess third) throws IOException {
        String name = ClusterNodes.name(leader);
        long epoch = ClusterNodes.epoch(leader);
        browser.open(admin(leader));
        browser.await("live-text", "Live");
        browser.await("members-body", name);
        browser.await("topology-hint", "written by " + name + " under epoch " + epoch + ", copied by 2 other Dumpers");
        browser.await("shards-body", "is read");
        browser.await("held-body", "No shard is held");
        browser.await("links-body", "extract-s1");
        browser.await("figures", "Ordered");
        assertEquals("", browser.text("alerts"));
        assertTrue(browser.text("members-body").contains(admin(third)), browser.text("members-body"));
        assertAccessible();
        browser.shot("healthy");
        browser.dark(true);
        assertAccessible();
        browser.shot("healthy-dark");
        browser.click("theme");
        assertEquals("light", browser.run("return document.documentElement.dataset.theme"));
        assertAccessible();
        browser.run("localStorage.clear(); document.documentElement.dataset.theme = 'auto'");
        browser.dark(false);
        browser.phone();
        Await.until(() -> "the page to be as wide as the phone", LIMIT, () -> !browser.isTooWide());
        assertAccessible();
        browser.shot("healthy-phone");
        browser.wide();
    }

    /** The text of a problem is that of axe-core, with the element. */
    private void assertAccessible() {
        assertEquals("", browser.accessibilityProblems());
        assertEquals(List.of(), browser.errors());
    }

    private void byKeyboard() {
        browser.run("document.activeElement.blur(); scrollTo(0, 0); getSelection().removeAllRanges();");
        browser.run("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')");
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            order.add(browser.tab());
        }
        assertTrue(order.containsAll(List.of("Skip to content", "theme", "Overview", "Held")), order::toString);
        browser.run("document.querySelector('.skip').focus()");
        browser.press("\n");
        assertEquals("#main", browser.run("return location.hash"));
        String visible = String.valueOf(browser.run(
                "document.getElementById('theme').focus(); return getComputedStyle(document.getElementById('theme')).outlineStyle"));
        assertNotEquals("none", visible, "the focus is visible");
    }

    private void search(NodeProcess leader) {
        String gtid = leader.fact("server.uuid").orElseThrow() + ":3";
        browser.type("search-value", "nonsense");
        browser.press("\n");
        browser.await("search-error", "nonsense");
        browser.type("search-value", gtid);
        browser.type("search-table", "shop.orders");
        browser.press("\n");
        browser.await("search-found", gtid);
        browser.await("search-events", "shop.orders");
        assertFalse(browser.text("search-events").contains("Ignorable"));
    }

    /** Without a login a viewer sees a summary; a wrong password is refused with a clear answer; the right one shows more. */
    private void login(NodeProcess node) throws IOException {
        browser.open(admin(node));
        browser.await("topology-hint", "under epoch ");
        browser.await("search-body", "log in");
        String all = browser.text("main");
        assertFalse(all.contains("127.0.0.1") || all.contains("binlog.0"), all);
        browser.click("login");
        browser.type("login-user", "admin");
        browser.type("login-password", "wrong");
        assertAccessible();
        browser.press("\n");
        browser.await("login-error", "User or password is wrong.");
        browser.shot("login-wrong-password");
        browser.type("login-password", PASSWORD);
        browser.press("\n");
        browser.await("members-body", "127.0.0.1");
        browser.await("login", "Log out");
        assertEquals(0L, browser.run("return localStorage.length + sessionStorage.length + document.cookie.length"));
    }

    /** Rows of a shape that the other shard does not have hold their shard. */
    private void heldShard(NodeProcess leader, NodeProcess other) throws Exception {
        MysqlServer first = cluster.shards().get(0);
        first.execute(
                "ALTER TABLE shop.orders ADD COLUMN extra INT NOT NULL DEFAULT 7",
                "INSERT INTO shop.orders VALUES (1, 'row', 8)");
        cluster.shards().get(1).execute("INSERT INTO shop.orders VALUES (2, 'row')");
        browser.open(admin(leader));
        browser.await("alerts", "1 shard is held");
        browser.await("held-body", "SCHEMA_MIXED");
        browser.await("held-body", "tributary ddl skip");
        browser.await("changes-body", "ALTER TABLE shop.orders");
        browser.await("shards-body", "held");
        assertAccessible();
        browser.shot("held");
        browser.dark(true);
        assertAccessible();
        browser.phone();
        assertFalse(browser.isTooWide());
        browser.shot("held-phone-dark");
        browser.wide();
        browser.dark(false);
        browser.open(admin(other));
        browser.await("alerts", ClusterNodes.name(leader) + ": 1 shard is held");
        assertFalse(browser.text("main").contains("ALTER TABLE"), "a viewer sees no statement of another node");
        cluster.shards().get(1).execute("ALTER TABLE shop.orders ADD COLUMN extra INT NOT NULL DEFAULT 7");
    }

    /** The console of another node shows the new leader and its epoch; that of the killed node shows that it does not answer. */
    private void killedLeader(NodeProcess leader, NodeProcess other) throws IOException {
        long epoch = ClusterNodes.epoch(leader);
        browser.open(admin(leader));
        browser.await("live-text", "Live");
        leader.kill9();
        browser.await("live-text", "Not connected");
        browser.await("alerts", "No connection to the node");
        browser.shot("killed-node");
        browser.open(admin(other));
        NodeProcess second = nodes.dumpers().get(leader == nodes.dumpers().get(0) ? 1 : 0);
        Await.until(
                () -> "a new leader and its epoch in: " + browser.text("topology-hint"),
                LIMIT,
                () -> browser.text("identity").matches("(?s).*Epoch\\s+(?!" + epoch + "\\b)\\d+.*")
                        && browser.text("topology-hint").matches(".*written by (d[0-9]) under epoch \\d+.*"));
        String text = browser.text("topology-hint");
        assertTrue(List.of(second, other).stream().anyMatch(node -> text.contains("by " + ClusterNodes.name(node) + " under")), text);
        assertAccessible();
        browser.shot("leader-killed");
    }
}
