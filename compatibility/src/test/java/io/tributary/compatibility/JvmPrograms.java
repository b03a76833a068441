package io.tributary.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Debezium, Maxwell and canal, each in a module and a process of its own.
 *
 * <p>Where they ask a source for its tables as they are now, they read the second half of the workload, in which no table changes.
 */
final class JvmPrograms {
    private static final Path HOME = Path.of(System.getProperty("tributary.home"), "compatibility");
    private static final String PACKAGE = "io.tributary.compatibility.";

    private JvmPrograms() {}

    static List<Client> all() {
        return List.of(
                debezium(
                        "recovery",
                        "embedded engine, GTID, second half",
                        "`snapshot.mode=recovery`: offsets are there, the tables are asked of the source;"
                                + " `snapshot.locking.mode=none`"),
                debezium(
                        "history",
                        "embedded engine, GTID",
                        "`snapshot.mode=no_data`: offsets and a schema history of before the first table (here of behind the first"
                                + " transaction: it takes no empty GTID set)"),
                canal("position", "parser, position", "instance with tsdb off, position of the first file"),
                canal(
                        "gtid",
                        "parser, GTID, second half",
                        "instance with tsdb off, `gtidon=true`, the GTID set to begin at"),
                new MaxwellClient());
    }

    private static Client debezium(String way, String mode, String settings) {
        return new ProgramClient(
                "Debezium",
                mode,
                settings + "; `driver.allowPublicKeyRetrieval=true` without TLS",
                () -> version("debezium"),
                source -> java(
                        "debezium",
                        "debezium.DebeziumReader",
                        List.of(way, source.folder().toString()),
                        login(source),
                        way.equals("recovery") ? half(source) : behindTheFirst(source)));
    }

    private static Client canal(String way, String mode, String settings) {
        return new ProgramClient(
                "canal",
                mode,
                settings + "; `serve.native-password=true` in Tributary",
                () -> version("canal"),
                source -> java(
                        "canal",
                        "canal.CanalReader",
                        List.of(),
                        login(source),
                        way.equals("gtid") ? half(source) : begin()));
    }

    /** Port, name and password. */
    private static List<String> login(Source source) {
        return List.of(
                Integer.toString(source.port()),
                source.user().name(),
                source.user().password());
    }

    /** File, position and GTID set at which the second half begins. */
    private static List<String> half(Source source) {
        return List.of(
                source.half().file(),
                Long.toString(source.half().position()),
                source.half().gtids());
    }

    private static List<String> behindTheFirst(Source source) {
        return List.of(Source.FIRST_FILE, "4", source.half().gtids().replaceFirst(":.*", ":1"));
    }

    private static List<String> begin() {
        return List.of(Source.FIRST_FILE, "4", "");
    }

    /** The command line of a client's main class. */
    @SafeVarargs
    static List<String> java(String module, String main, List<String>... arguments) throws IOException {
        Path target = HOME.resolve(module).resolve("target");
        String classPath = target.resolve("classes") + ":"
                + Files.readString(target.resolve("classpath")).strip();
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                main.startsWith("com.") ? main : PACKAGE + main));
        for (List<String> some : arguments) {
            line.addAll(some);
        }
        return line;
    }

    /** The version of the client that a module is made of. */
    static String version(String module) throws IOException {
        return Toolchain.version(HOME.resolve(module).resolve("pom.xml"), "<client\\.version>(.*)</client\\.version>");
    }
}
