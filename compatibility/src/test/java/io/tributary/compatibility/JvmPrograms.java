package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Debezium, Maxwell and canal, each in a module and a process of its own. They ask a source for its tables as they are now, so they read
 * the second half of the workload, in which no table changes.
 */
final class JvmPrograms {
    private static final Path HOME = Path.of(System.getProperty("tributary.home"), "compatibility");
    private static final String PACKAGE = "io.tributary.compatibility.";

    private JvmPrograms() {}

    static List<Client> all() {
        return List.of(
                new ProgramClient(
                        "Debezium",
                        "embedded engine, GTID, second half",
                        () -> version("debezium"),
                        source -> debezium(source)),
                new ProgramClient(
                        "canal", "parser, position, second half", () -> version("canal"), source -> canal(source)),
                new MaxwellClient());
    }

    private static List<String> debezium(Source source) throws IOException {
        List<String> line = java("debezium", PACKAGE + "debezium.DebeziumReader");
        line.addAll(login(source));
        line.addAll(List.of(
                source.half().file(),
                Long.toString(source.half().position()),
                source.half().gtids(),
                source.folder().toString()));
        return line;
    }

    private static List<String> canal(Source source) throws IOException {
        List<String> line = java("canal", PACKAGE + "canal.CanalReader");
        line.addAll(login(source));
        line.addAll(List.of(source.half().file(), Long.toString(source.half().position())));
        return line;
    }

    private static List<String> login(Source source) {
        return List.of(
                Integer.toString(source.port()),
                source.user().name(),
                source.user().password());
    }

    /** Maxwell in its split mode: a server for its own tables, one that has the schema, and the source. */
    private record MaxwellClient() implements Client {
        @Override
        public String name() {
            return "Maxwell";
        }

        @Override
        public String mode() {
            return "split mode, position, second half";
        }

        @Override
        public String version() throws IOException {
            return JvmPrograms.version("maxwell");
        }

        @Override
        public boolean isOld() {
            return true;
        }

        @Override
        public Reading read(Source source) throws Exception {
            try (MysqlServer own = MysqlServer.start(MysqlOptions.named("maxwell"))) {
                return new ProgramClient(name(), mode(), this::version, ignored -> maxwell(source, own)).read(source);
            }
        }

        private static List<String> maxwell(Source source, MysqlServer own) throws IOException {
            List<String> line = java("maxwell", "com.zendesk.maxwell.Maxwell");
            line.addAll(server("", own.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD));
            line.addAll(server("schema_", source.schemaPort(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD));
            line.addAll(server(
                    "replication_",
                    source.port(),
                    source.user().name(),
                    source.user().password()));
            line.addAll(List.of(
                    "--custom_producer.factory=" + PACKAGE + "maxwell.PrintingProducer$Factory",
                    "--replica_server_id=4718",
                    "--init_position=" + source.half().file() + ":"
                            + source.half().position()));
            return line;
        }

        private static List<String> server(String prefix, int port, String user, String password) {
            return List.of(
                    "--" + prefix + "host=" + Source.HOST,
                    "--" + prefix + "port=" + port,
                    "--" + prefix + "user=" + user,
                    "--" + prefix + "password=" + password,
                    "--" + prefix + "jdbc_options=sslMode=DISABLED&allowPublicKeyRetrieval=true");
        }
    }

    private static List<String> java(String module, String main) throws IOException {
        Path target = HOME.resolve(module).resolve("target");
        String classPath = target.resolve("classes") + ":"
                + Files.readString(target.resolve("classpath")).strip();
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                main));
    }

    private static String version(String module) throws IOException {
        return Toolchain.version(HOME.resolve(module).resolve("pom.xml"), "<client\\.version>(.*)</client\\.version>");
    }
}
