package io.tributary.bench.sink;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Debezium and Maxwell, from their modules of the compatibility matrix, which have class paths of their own. */
final class PeerPrograms {
    private static final String DEBEZIUM = "compatibility/debezium";
    private static final String MAXWELL = "compatibility/maxwell";

    private final PeerSite site;

    PeerPrograms(PeerSite site) {
        this.site = site;
    }

    /** Whether both were built before. */
    static boolean areBuilt() {
        return Stream.of(DEBEZIUM, MAXWELL).allMatch(module -> Files.exists(classPathOf(module)));
    }

    private static Path classPathOf(String module) {
        return NodeProcess.projectHome().resolve(module).resolve("target/classpath");
    }

    /** Builds both with Maven, which downloads them the first time. */
    static void build() {
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(
                "mvn",
                "--batch-mode",
                "--quiet",
                "--no-transfer-progress",
                "--file",
                NodeProcess.projectHome().toString(),
                "-Pmatrix",
                "--projects",
                DEBEZIUM + "," + MAXWELL,
                "-DskipTests",
                "package"));
        if (outcome.status() != 0) {
            throw new IllegalStateException("Debezium and Maxwell could not be built: " + outcome.output());
        }
    }

    /** The command that sends all rows of the site to a topic. */
    List<String> debezium(String topic) throws IOException {
        List<String> command = java(DEBEZIUM, "io.tributary.compatibility.debezium.DebeziumSender");
        command.addAll(List.of(
                site.folder().toString(),
                Integer.toString(site.server().port()),
                MysqlServer.ROOT,
                MysqlServer.ROOT_PASSWORD,
                site.begin().file(),
                Long.toString(site.begin().position()),
                site.begin().gtids(),
                site.brokers(),
                topic,
                "wide.orders"));
        return command;
    }

    /**
     * The command that sends all rows of the site to a topic.
     *
     * @param own a server for its own tables, so that it writes nothing into the binlog that it reads
     */
    List<String> maxwell(String topic, MysqlServer own) throws IOException {
        List<String> command = java(MAXWELL, "com.zendesk.maxwell.Maxwell");
        command.addAll(login("", own));
        command.addAll(login("schema_", site.server()));
        command.addAll(login("replication_", site.server()));
        command.addAll(List.of(
                "--jdbc_options=sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "--replica_server_id=4718",
                "--bootstrapper=none",
                "--filter=exclude: *.*, include: wide.orders",
                "--init_position=" + site.begin().file() + ":" + site.begin().position(),
                "--producer=kafka",
                "--kafka.bootstrap.servers=" + site.brokers(),
                "--kafka_topic=" + topic,
                "--kafka.acks=all",
                "--kafka.compression.type=lz4",
                "--kafka.batch.size=262144",
                "--kafka.linger.ms=5"));
        return command;
    }

    private static List<String> login(String prefix, MysqlServer server) {
        return List.of(
                "--" + prefix + "host=" + server.host(),
                "--" + prefix + "port=" + server.port(),
                "--" + prefix + "user=" + MysqlServer.ROOT,
                "--" + prefix + "password=" + MysqlServer.ROOT_PASSWORD);
    }

    private static List<String> java(String module, String main) throws IOException {
        Path classes = NodeProcess.projectHome().resolve(module).resolve("target/classes");
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx" + PeerSite.HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                classes + ":" + Files.readString(classPathOf(module)).strip(),
                main));
    }
}
