package io.tributary.system.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of each kind of process that is no member of a cluster with ZooKeeper, in a real browser: a Dumper with its Task and its relay, an
 * applier, a sink, and a standalone node; and the search for rows. The pictures are in target/console.
 */
class NodeConsolesIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PASSWORD = "secret of admin";

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
                        config -> config.withoutTls().set("transmit.task", transmit),
                        "--role",
                        "dumper");
                MysqlServer target =
                        MysqlServer.start(MysqlOptions.named("target").in(folder.resolve("target")));
                KafkaBrokers brokers = KafkaBrokers.one();
                ConsoleBrowser opened = new ConsoleBrowser()) {
            cluster = started;
            browser = opened;
            NodeProcess relay = cluster.newNode("relay", config -> config.set("transmit.listen", relayed), "--role", "relay");
            NodeProcess task = cluster.newNode(
                    "task",
                    config -> config.set("transmit.listen", transmit)
                            .set("relay.far.address", relayed)
                            .set("relay.far.shards", "s2"),
                    "--role",
                    "task");
            NodeProcess applier = cluster.newNode("applier", config -> applier(config, target));
            NodeProcess sink = cluster.newNode("sink", config -> sink(config, brokers));
            NodeProcess dumper = cluster.node();
            List.of(relay, task, dumper, applier, sink).forEach(node -> node.with("TRIBUTARY_HEAP", "160m").launch());
            writeRows();
            dumper.awaitHealthy();
            cluster.awaitAllWritten(LIMIT);
            show("dumper", dumper);
            show("task", task);
            show("relay", relay);
            show("applier", applier);
            show("sink", sink);
        }
    }

    private void show(String name, NodeProcess node) throws Exception {
        browser.open(node.config().get("admin.listen"));
        browser.await("live-text", "Live");
        browser.dark(false);
        browser.wide();
        Thread.sleep(5000);
        browser.shotAll("node-" + name);
        browser.phone();
        browser.dark(true);
        Thread.sleep(2500);
        browser.shotAll("node-" + name + "-phone");
    }

    private NodeConfig applier(NodeConfig config, MysqlServer target) {
        return config.set("node.role", "apply")
                .set("apply.nodes", "127.0.0.1:" + cluster.servePort())
                .set("apply.user", LocalCluster.READER.name())
                .set("apply.password", LocalCluster.READER.password())
                .set("apply.target", "127.0.0.1:" + target.port())
                .set("apply.target.user", MysqlServer.ROOT)
                .set("apply.target.password", MysqlServer.ROOT_PASSWORD)
                .set("apply.retry", "500ms");
    }

    private NodeConfig sink(NodeConfig config, KafkaBrokers brokers) {
        return config.set("node.role", "sink")
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
            for (int i = 0; i < 5; i++) {
                shard.execute("INSERT INTO shop.orders VALUES (" + (shard.serverId() * 1000 + i) + ", 'row')");
            }
        }
    }
}
