package io.tributary.bench.sink;

import io.tributary.bench.BenchFolder;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.sink.message.MessageFormat;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** A server with wide rows in its binlog, a broker, and a folder for programs that send the rows to topics, each in a process of its own. */
final class PeerSite implements AutoCloseable {
    /** The heap of each of the processes. */
    static final String HEAP = "512m";
    /** Name and password of a user who logs in with mysql_native_password: Maxwell's client knows nothing newer. */
    static final String OLD_LOGIN = "maxwell";

    private final MysqlServer server = MysqlServer.start("wide");
    private final KafkaBrokers brokers = SinkSite.broker();
    private final Path folder = BenchFolder.of(SinkBench.NAME).resolve("peers");
    private final Begin begin;
    private final List<WideRows.Event> events;
    private final long rows;
    private int runs;

    /** Where the binlog of the rows begins: the table exists, and has the 2,000 rows that are copied. */
    record Begin(String file, long position, String gtids) {}

    /** @param rows in the binlog after the beginning, a multiple of 100 */
    PeerSite(long rows) throws SQLException {
        this.rows = rows;
        try (Sql sql = server.sql()) {
            events = WideRows.of(server);
            sql.execute(
                    "CREATE USER " + OLD_LOGIN + " IDENTIFIED WITH mysql_native_password BY '" + OLD_LOGIN + "'",
                    "GRANT ALL ON *.* TO " + OLD_LOGIN);
            Map<String, String> status = sql.rows("SHOW MASTER STATUS").get(0);
            begin = new Begin(status.get("File"), Long.parseLong(status.get("Position")), server.gtidExecuted());
            new RowCopies(sql).upTo(WideRows.ROWS + rows);
        }
    }

    MysqlServer server() {
        return server;
    }

    Begin begin() {
        return begin;
    }

    String brokers() {
        return brokers.addresses();
    }

    Path folder() {
        return folder;
    }

    /** The folder, empty. */
    private Path emptied() throws IOException {
        Folders.delete(folder);
        return Files.createDirectories(folder);
    }

    /** A node with {@code node.role=sink} that sends the rows to this topic. */
    private NodeProcess node(String topic, Map<String, String> keys) throws IOException {
        Path own = emptied();
        NodeConfig config = config(server, brokers).set("sink.topic", topic).set("sink.start", begin.gtids());
        keys.forEach(config::set);
        return new NodeProcess(
                        NodeProcess.projectHome(), own.resolve("sink.properties"), config, own.resolve("sink.log"))
                .with("TRIBUTARY_HEAP", HEAP);
    }

    /** The configuration of a sink of the wide rows, without its topic. */
    static NodeConfig config(MysqlServer server, KafkaBrokers brokers) {
        return new NodeConfig()
                .set("node.role", "sink")
                .set("admin.listen", "127.0.0.1:" + Ports.free())
                .set("sink.nodes", "127.0.0.1:" + server.port())
                .set("sink.user", MysqlServer.ROOT)
                .set("sink.password", MysqlServer.ROOT_PASSWORD)
                .set("sink.tls", "disabled")
                .set("sink.tables", "wide.orders")
                .set("sink.ddl", "none")
                .set("sink.brokers", brokers.addresses());
    }

    /** Our sink, with a name of its own in each run. */
    SendCost tributary(Map<String, String> keys) throws Exception {
        try (RowTopic topic = topic("tributary");
                NodeProcess node = node(topic.name(), keys)) {
            node.config().set("sink.name", topic.name());
            SendRun run = new SendRun(topic, rows);
            return checked(topic, node.log(), run.of(node.launch().process()));
        }
    }

    SendCost debezium() throws Exception {
        Path log = emptied().resolve("debezium.log");
        try (RowTopic topic = topic("debezium")) {
            return run(topic, new PeerPrograms(this).debezium(topic.name()), log);
        }
    }

    SendCost maxwell() throws Exception {
        Path log = emptied().resolve("maxwell.log");
        try (RowTopic topic = topic("maxwell");
                MysqlServer own = MysqlServer.start("maxwell")) {
            return run(topic, new PeerPrograms(this).maxwell(topic.name(), own), log);
        }
    }

    /** Kafka's producer in this process, with messages that are there already. */
    SinkSite.Cost producer(MessageFormat format) throws Exception {
        try (RowTopic topic = topic("made")) {
            return new MadeMessages(events, format).send(brokers.addresses(), topic, rows);
        }
    }

    private RowTopic topic(String sender) throws InterruptedException, ExecutionException {
        return new RowTopic(brokers.addresses(), sender + "-" + ++runs);
    }

    private SendCost run(RowTopic topic, List<String> command, Path log) throws Exception {
        SendRun run = new SendRun(topic, rows);
        try (ChildProcess process = ChildProcess.start(command, log)) {
            return checked(topic, log, run.of(process));
        }
    }

    /** Requires that the topic has each row once. */
    private SendCost checked(RowTopic topic, Path log, SendCost cost) {
        long found = topic.read(rows, message -> {});
        if (found != rows) {
            throw new IllegalStateException("expected " + rows + " messages in topic " + topic.name() + ", found "
                    + found + "; the output of the sender is " + log);
        }
        return cost;
    }

    @Override
    public void close() {
        brokers.close();
        server.close();
    }
}
