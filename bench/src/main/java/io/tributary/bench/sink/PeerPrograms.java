package io.tributary.bench.sink;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;

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
     * The command that sends all rows of the site to a topic. Its own client of Kafka is refused by a broker from 4.0 on, and its own reader of the binlog
     * cannot read the columns' metadata; so it gets newer ones, those of this bench. Later releases of Maxwell, which are not on Maven Central, have the
     * same reader.
     *
     * @param own a server for its own tables, so that it writes nothing into the binlog that it reads
     */
    List<String> maxwell(String topic, MysqlServer own) throws IOException {
        List<String> command =
                java(MAXWELL, "com.zendesk.maxwell.Maxwell", jarOf(KafkaProducer.class), jarOf(BinaryLogClient.class));
        command.addAll(login("", own, MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD));
        command.addAll(login("schema_", site.server(), PeerSite.OLD_LOGIN, PeerSite.OLD_LOGIN));
        command.addAll(login("replication_", site.server(), PeerSite.OLD_LOGIN, PeerSite.OLD_LOGIN));
        command.addAll(List.of(
                "--jdbc_options=sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "--replica_server_id=4718",
                "--bootstrapper=none",
                "--filter=exclude: *.*, include: wide.orders",
                "--init_position=" + site.begin().file() + ":" + site.begin().position(),
                "--producer=kafka",
                "--kafka_topic=" + topic,
                "--config=" + producing()));
        return command;
    }

    /** Maxwell has no options for the settings of the producer, but a file. */
    private Path producing() throws IOException {
        return Files.write(
                site.folder().resolve("maxwell.properties"),
                List.of(
                        "kafka.bootstrap.servers=" + site.brokers(),
                        "kafka.acks=all",
                        "kafka.enable.idempotence=true",
                        "kafka.compression.type=lz4",
                        "kafka.batch.size=262144",
                        "kafka.linger.ms=5"));
    }

    private static List<String> login(String prefix, MysqlServer server, String user, String password) {
        return List.of(
                "--" + prefix + "host=" + server.host(),
                "--" + prefix + "port=" + server.port(),
                "--" + prefix + "user=" + user,
                "--" + prefix + "password=" + password);
    }

    /** @param first jars before those of the module */
    private static List<String> java(String module, String main, Path... first) throws IOException {
        StringJoiner classPath = new StringJoiner(File.pathSeparator);
        for (Path jar : first) {
            classPath.add(jar.toString());
        }
        classPath.add(NodeProcess.projectHome()
                .resolve(module)
                .resolve("target/classes")
                .toString());
        classPath.add(Files.readString(classPathOf(module)).strip());
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx" + PeerSite.HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                classPath.toString(),
                main));
    }

    /** The jar from which this process has a class. */
    private static Path jarOf(Class<?> loaded) {
        return Path.of(URI.create(
                loaded.getProtectionDomain().getCodeSource().getLocation().toString()));
    }
}
