package io.tributary.system.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.common.config.HostPort;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.ObjectStoreServer;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.server.PrometheusServer;
import io.tributary.testkit.server.Sql;
import io.tributary.tso.TsoClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus with the rules of the archive, which scrapes a cluster, an applier and a sink, while a real fault makes the cause of each
 * alert. The rules are those of the archive with a {@code for:} of 0 s and shorter limits of time. The causes of other alerts are made with one real
 * part each, in tests that use {@link io.tributary.testkit.alert.AlertCheck}; {@link AlertRulesTest} requires one of the two for each alert.
 */
class AlertsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long LIFE_DAYS = 3650; // of SelfSignedCertificate

    /** Limits of time that a test cannot wait for. */
    private static final Map<String, String> SHORTER = Map.of(
            "tributary_shard_lag_seconds > 60", "tributary_shard_lag_seconds > 3",
            "tributary_collect_oldest_seconds > 30", "tributary_collect_oldest_seconds > 2",
            "tributary_apply_lag_seconds > 300", "tributary_apply_lag_seconds > 3",
            "tributary_sink_lag_seconds > 300", "tributary_sink_lag_seconds > 3",
            "tributary_serve_reader_lag_seconds > 300", "tributary_serve_reader_lag_seconds > 3",
            "tributary_serve_reader_connected_seconds[1h])) > 600",
                    "tributary_serve_reader_connected_seconds[1h])) > 3",
            "tributary_tso_oldest_seconds > 30", "tributary_tso_oldest_seconds > 1",
            "tributary_verify_last_seconds < 2 * 86400", "tributary_verify_last_seconds < 10");

    @TempDir
    private Path folder;

    private ObjectStoreServer store;
    private ClusterNodes nodes;
    private LocalCluster cluster;
    private MysqlReplica replica;
    private NodeProcess leader;
    private NodeProcess applier;
    private NodeProcess sink;
    private MysqlServer target;
    private KafkaBrokers brokers;
    private PrometheusServer prometheus;
    private final Set<String> fired = new TreeSet<>();

    /** The labels of each metric that a node has shown. */
    private final Map<String, Set<String>> exposed = new TreeMap<>();

    @Test
    void eachAlertFiresWhenItsCauseIsMade() throws Exception {
        try (ObjectStoreServer closedStore = new ObjectStoreServer(folder.resolve("store"))) {
            store = closedStore;
            nodes = new ClusterNodes(
                    folder,
                    List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                    1,
                    2,
                    config -> store.backsUp(config.withoutTls(), "127.0.0.1:" + store.port())
                            .set("order.indoubt.warn", "2s")
                            .set("backup.s3.timeout", "1s")
                            .set("backup.retry", "100ms")
                            .set("backup.retry.max", "500ms")
                            .set("backup.poll", "500ms"));
            try (LocalCluster closed = nodes.cluster()) {
                cluster = closed;
                begin();
                try (PrometheusServer closedPrometheus = PrometheusServer.start(folder, prometheusConfig())) {
                    prometheus = closedPrometheus;
                    assertNothingFires();
                    noteNames();
                    assertFaultsOfTargets();
                    assertFaultsOfReadersAndReplicas();
                    assertFaultsOfShards();
                    noteNames();
                    assertNamesAreThoseOfTheNodes();
                    assertFaultsOfTheCluster();
                }
            }
        }
    }

    private void begin() throws Exception {
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT)",
                    "CREATE TABLE shop.large (id INT PRIMARY KEY, content LONGBLOB)");
        }
        brokers = cluster.closing(KafkaBrokers.one());
        Path expiring = Files.createDirectories(folder.resolve("expiring"));
        SelfSignedCertificate.in(expiring, "expires in three days", threeDaysBeforeExpiry());
        replica = cluster.newReplica("replica", 2);
        for (NodeProcess node : nodes.all()) {
            node.config()
                    .set("verify.every", "2s")
                    .set("verify.replica", "127.0.0.1:" + replica.server().port())
                    .set("verify.user", MysqlServer.ROOT)
                    .set("verify.password", MysqlServer.ROOT_PASSWORD);
        }
        for (NodeProcess dumper : nodes.dumpers()) {
            dumper.config()
                    .set(
                            "serve.tls.certificate",
                            expiring.resolve(SelfSignedCertificate.CERTIFICATE).toString())
                    .set(
                            "serve.tls.key",
                            expiring.resolve(SelfSignedCertificate.KEY).toString());
        }
        nodes.tasks()
                .get(0)
                .config()
                .set("tso.enabled", "true")
                .set("tso.listen", "127.0.0.1:" + Ports.free())
                .set("tso.directory", folder.resolve("tso").toString());
        nodes.launch();
        leader = nodes.awaitServing(0, LIMIT);
        nodes.attach(replica);
        write(0);
        target = cluster.closing(MysqlServer.start(MysqlOptions.named("target")));
        applier = reader("applier", "apply")
                .set("apply.target", "127.0.0.1:" + target.port())
                .set("apply.target.user", MysqlServer.ROOT)
                .set("apply.target.password", MysqlServer.ROOT_PASSWORD)
                .made();
        sink = reader("sink", "sink")
                .set("sink.name", "sink")
                .set("sink.brokers", brokers.addresses())
                .set("sink.kafka.request.timeout", "2s")
                .set("sink.kafka.delivery.timeout", "4s")
                .made();
        sink.launch();
        applier.start();
        sink.awaitHealthy();
        leader = nodes.awaitServing(0, LIMIT); // on a slow machine another one may lead now
    }

    /** A node that reads the cluster. */
    private static final class ReaderSettings {
        private final NodeProcess node;

        ReaderSettings(NodeProcess node) {
            this.node = node;
        }

        ReaderSettings set(String key, String value) {
            node.config().set(key, value);
            return this;
        }

        NodeProcess made() {
            return node;
        }
    }

    private ReaderSettings reader(String name, String role) {
        NodeProcess node = cluster.newNode(name, config -> {
            for (String key : List.of(
                    "node.id",
                    "node.roles",
                    "cluster.zookeeper",
                    "cluster.dumpers",
                    "dumper.ack",
                    "dumper.listen",
                    "verify.every",
                    "verify.replica",
                    "verify.user",
                    "verify.password")) {
                config.remove(key);
            }
            return config.set("node.role", role)
                    .set(
                            role + ".nodes",
                            nodes.dumpers().stream()
                                    .map(dumper -> "127.0.0.1:" + ClusterNodes.servePort(dumper))
                                    .collect(Collectors.joining(",")))
                    .set(role + ".user", LocalCluster.READER.name())
                    .set(role + ".password", LocalCluster.READER.password())
                    .set(role + ".retry", "500ms");
        });
        return new ReaderSettings(node);
    }

    private static Clock threeDaysBeforeExpiry() {
        long before = TimeUnit.DAYS.toMicros(LIFE_DAYS - 3);
        return new Clock() {
            @Override
            public long nanoTime() {
                return SYSTEM.nanoTime();
            }

            @Override
            public long epochMicros() {
                return SYSTEM.epochMicros() - before;
            }
        };
    }

    private List<NodeProcess> processes() {
        List<NodeProcess> all = new ArrayList<>(nodes.all());
        all.add(applier);
        all.add(sink);
        return all;
    }

    private String prometheusConfig() throws IOException {
        String rules = Pattern.compile("(?m)^( {8}for: ).*$")
                .matcher(MonitoringFiles.text(MonitoringFiles.RULES))
                .replaceAll("$10s");
        for (Map.Entry<String, String> limit : SHORTER.entrySet()) {
            assertTrue(rules.contains(limit.getKey()), limit.getKey());
            rules = rules.replace(limit.getKey(), limit.getValue());
        }
        Files.writeString(folder.resolve("tributary.rules.yml"), rules);
        StringBuilder targets = new StringBuilder();
        processes()
                .forEach(node -> targets.append("          - '")
                        .append(node.config().get("admin.listen"))
                        .append("'\n"));
        return """
                global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}
                rule_files: [tributary.rules.yml]
                scrape_configs:
                  - job_name: tributary
                    static_configs:
                      - targets:
                """ + targets;
    }

    // ---- what Prometheus shows

    private JsonNode alerts() {
        try {
            return new ObjectMapper().readTree(prometheus.alerts()).path("data").path("alerts");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the alerts that fire now; each has texts without an error of their templates. */
    private Set<String> firing() {
        Set<String> now = new TreeSet<>();
        alerts().forEach(alert -> {
            if (alert.get("state").asText().equals("firing")) {
                String texts = alert.get("annotations").toString();
                assertFalse(texts.contains("{{") || texts.contains("<error"), texts);
                now.add(alert.get("labels").get("alertname").asText());
            }
        });
        fired.addAll(now);
        return now;
    }

    private void awaitFired(String... alerts) {
        Set<String> wanted = new TreeSet<>(List.of(alerts));
        Await.until(
                () -> "alerts " + wanted + ", found " + fired + "; now " + alerts() + "; " + cluster.lastLines(),
                LIMIT,
                () -> {
                    firing();
                    return fired.containsAll(wanted);
                });
    }

    /** Before the faults, only the alert of the certificate fires. */
    private void assertNothingFires() {
        int count = processes().size();
        Await.until(
                () -> count + " nodes that answer: " + prometheus.query("sum(up)"),
                LIMIT,
                () -> prometheus.query("sum(up)").contains("\"" + count + "\"]"));
        awaitFired("TributaryCertificateExpires");
        Set<String> mayFire = Set.of(
                "TributaryCertificateExpires",
                "TributaryDiskSpaceLow", // of the machine that runs this test
                "TributaryDiskFillsUp",
                "TributarySlowSync",
                "TributaryServedLate");
        Await.until( // a scrape may fail on a slow machine, and the rules here wait for nothing
                () -> "no other alerts: " + alerts(), LIMIT, () -> mayFire.containsAll(firing()));
        fired.retainAll(mayFire);
        assertEquals(200, ready(leader));
        assertEquals(200, ready(sink));
    }

    private static int ready(NodeProcess node) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://" + node.config().get("admin.listen") + "/health/ready"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Notes the metrics and labels of the nodes that run; some are there only while something is held. */
    private void noteNames() {
        Pattern line = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)\\})? \\S+$");
        Pattern label = Pattern.compile("(\\w+)=\"");
        for (NodeProcess node : processes()) {
            Matcher series = line.matcher(node.ask("/metrics").orElse(""));
            while (series.find()) {
                Set<String> labels = exposed.computeIfAbsent(series.group(1), absent -> new TreeSet<>());
                Matcher each = label.matcher(series.group(2) == null ? "" : series.group(2));
                while (each.find()) {
                    labels.add(each.group(1));
                }
            }
        }
    }

    /** Each metric and label that a rule or a dashboard names was exposed by one of the nodes. */
    private void assertNamesAreThoseOfTheNodes() {
        List<String> problems = new ArrayList<>();
        MonitoringFiles.used().forEach((metric, labels) -> {
            if (!exposed.containsKey(metric)) {
                problems.add(metric);
            } else if (!exposed.get(metric).containsAll(labels)) {
                problems.add(metric + labels + " has only " + exposed.get(metric));
            }
        });
        assertEquals(List.of(), problems);
    }

    // ---- the faults

    private void write(int id) throws SQLException {
        cluster.shards().get(id % 2).execute("INSERT INTO shop.t VALUES (" + id + ", 0)");
    }

    /** The target of the applier is locked, the topic of the sink takes no messages, and a client of the TSO service takes a timestamp and is silent. */
    private void assertFaultsOfTargets() throws Exception {
        HostPort tso = HostPort.parse(nodes.tasks().get(0).config().get("tso.listen"));
        try (Sql locking = target.sql();
                TsoClient client = TsoClient.of(tso, LIMIT)) {
            limitMessages(150); // markers of transactions fit
            locking.execute("FLUSH TABLES WITH READ LOCK");
            long taken = client.next();
            write(2);
            awaitFired("TributaryTsoWaits", "TributaryApplierBehind", "TributarySinkBehind", "TributarySinkAborts");
            client.giveUp(List.of(taken));
        }
        brokers.close();
        awaitFired("TributaryNodeRetries", "TributaryNodeNotReady");
        assertEquals(503, ready(sink));
    }

    /** Makes the topics of the sink refuse larger messages. */
    private void limitMessages(int bytes) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.addresses()))) {
            Await.until(
                    () -> "a topic; " + sink.lastLines(),
                    LIMIT,
                    () -> !topics(admin).isEmpty());
            AlterConfigOp smaller =
                    new AlterConfigOp(new ConfigEntry("max.message.bytes", "" + bytes), AlterConfigOp.OpType.SET);
            Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
            topics(admin)
                    .forEach(topic ->
                            changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(smaller)));
            admin.incrementalAlterConfigs(changes).all().get();
        }
    }

    private static Set<String> topics(Admin admin) throws Exception {
        Set<String> topics = new TreeSet<>(admin.listTopics().names().get());
        topics.removeIf(topic -> !topic.contains("shop"));
        return topics;
    }

    private void assertFaultsOfReadersAndReplicas() throws Exception {
        Await.until(
                () -> "rows at the replica",
                LIMIT,
                () -> replica.server().text("SELECT COUNT(*) FROM shop.t").equals("2"));
        try (Sql sql = replica.server().sql()) {
            sql.execute("SET sql_log_bin = 0", "UPDATE shop.t SET a = 7");
        }
        for (int i = 0; i < 12; i++) {
            assertThrows(
                    SQLException.class,
                    () -> Sql.open(ClusterNodes.servePort(leader), LocalCluster.READER.name(), "wrong")
                            .close());
        }
        Path certificate = Path.of(leader.config().get("serve.tls.certificate"));
        Files.writeString(certificate, "no certificate");
        applier.process().pause(); // it is connected and reads nothing
        for (int id = 0; id < 3; id++) {
            cluster.shards().get(0).execute("INSERT INTO shop.large VALUES (" + id + ", REPEAT('x', 10 << 20))");
        }
        awaitFired("TributaryReaderBehind");
        applier.kill9();
        store.close();
        for (int id = 10; id < 16; id++) {
            write(id);
            cluster.awaitAllWritten(leader, LIMIT);
            try (Sql sql = Sql.open(
                    ClusterNodes.servePort(leader), LocalCluster.READER.name(), LocalCluster.READER.password())) {
                sql.execute("FLUSH BINARY LOGS");
            }
        }
        awaitFired(
                "TributaryReplicaDiffers",
                "TributaryLoginsRefused",
                "TributaryFilesStale",
                "TributaryNodeDown",
                "TributaryReaderGone",
                "TributaryBackupFails");
        replica.server().kill9();
    }

    private void assertFaultsOfShards() throws Exception {
        MysqlServer first = cluster.shards().get(0);
        MysqlServer second = cluster.shards().get(1);
        first.execute("ALTER TABLE shop.t ADD COLUMN b INT");
        prepare("mixed", 20);
        first.execute("XA COMMIT 'mixed'");
        second.execute("XA ROLLBACK 'mixed'");
        awaitFired("TributarySchemaChangePending", "TributaryTwoPhaseCommitViolated");
        second.execute("ALTER TABLE shop.t ADD COLUMN b INT");
        for (int i = 0; i < 7; i++) {
            double before = connects();
            killSessions(first);
            Await.until(() -> "the Task to connect again", LIMIT, () -> connects() > before);
        }
        prepare("open", 30);
        first.execute("XA COMMIT 'open'");
        awaitFired("TributaryShardReconnects", "TributaryTransactionInDoubt", "TributaryOrderWaits");
        second.execute("XA COMMIT 'open'");
        second.execute("ALTER USER '" + MysqlUser.tributary().name() + "'@'%' IDENTIFIED BY 'the-new-one'");
        killSessions(second);
        awaitFired("TributaryShardStale", "TributaryShardHeld", "TributaryReplicaNotCompared");
        assertTrue(alerts().toString().contains("is held on "), () -> alerts().toString());
        assertTrue(alerts().toString().contains(": SHARD_LOGIN_REFUSED\""), () -> alerts().toString());
    }

    private double connects() {
        return nodes.tasks().get(0).metric("tributary_extract_connects_total");
    }

    private void prepare(String xid, int id) throws SQLException {
        for (int i = 0; i < 2; i++) {
            cluster.shards()
                    .get(i)
                    .execute(
                            "XA START '" + xid + "'",
                            "INSERT INTO shop.t (id, a) VALUES (" + (id + i) + ", 0)",
                            "XA END '" + xid + "'",
                            "XA PREPARE '" + xid + "'");
        }
    }

    private static void killSessions(MysqlServer shard) throws SQLException {
        try (Sql sql = shard.sql()) {
            for (Map<String, String> session : sql.rows("SELECT id FROM information_schema.processlist WHERE user = '"
                    + MysqlUser.tributary().name() + "'")) {
                try {
                    sql.execute("KILL " + session.values().iterator().next());
                } catch (SQLException e) {
                    assertEquals(1094, e.getErrorCode(), "it has ended meanwhile");
                }
            }
        }
    }

    private void assertFaultsOfTheCluster() {
        nodes.dumpers().stream().filter(node -> node != leader).forEach(NodeProcess::kill9);
        awaitFired("TributaryNoQuorum");
        Await.until(() -> "a leader that is not ready", LIMIT, () -> ready(leader) == 503);
        assertTrue(leader.ask("/health/live").isPresent());
        nodes.zookeeper().process().kill9();
        awaitFired("TributaryNoLeader", "TributaryLogErrors", "TributaryBackupBehind");
    }
}
