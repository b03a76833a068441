package io.tributary.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Debezium, Flink CDC, Maxwell and canal, each in a module and a process of its own.
 *
 * <p>Where they ask a source for its tables as they are now, they read the second half of the workload, in which no table changes.
 */
final class JvmPrograms {
    private static final Path HOME = Path.of(System.getProperty("tributary.home"), "compatibility");
    private static final String PACKAGE = "io.tributary.compatibility.";

    /** The mode of a client whose offsets are of a purged file contains this. */
    static final String PURGED = "offsets of a purged file";

    private static final String FLINK_LOGIN = "; `jdbcProperties` with `allowPublicKeyRetrieval=true` without TLS";

    /** The mode of a client that gets its signal from a table contains this. */
    static final String SIGNAL_ON_A_SHARD = "signal on a shard";

    /** A client that copies while it reads the binlog makes this file when it has copied. */
    static final String COPIED = "copied";

    /** What Flink needs with Java 17. */
    private static final List<String> FLINK_OPTIONS = List.of(
            "-Xmx1g",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED");

    /** What Spark needs with Java 17. */
    private static final List<String> SPARK_OPTIONS = List.of(
            "-Xmx1g",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.cs=ALL-UNNAMED",
            "--add-opens=java.base/sun.security.action=ALL-UNNAMED",
            "--add-opens=java.base/sun.util.calendar=ALL-UNNAMED");

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
                canalService("server and client, position, second half", source -> ""),
                canalService(
                        "server and client, GTID, second half",
                        source -> source.half().gtids()),
                flinkStream(
                        "specific-offset by position, second half",
                        "`StartupOptions.specificOffset(file, position)`",
                        source -> List.of(
                                "position",
                                source.half().file(),
                                Long.toString(source.half().position()))),
                flinkStream(
                        "specific-offset by GTID, second half",
                        "`StartupOptions.specificOffset(gtidSet)`",
                        source -> List.of("gtid", source.half().gtids())),
                flinkStream(
                        "timestamp, second half",
                        "`StartupOptions.timestamp(milliseconds)`",
                        source -> List.of("timestamp", millis(source.half()))),
                new MaxwellClient());
    }

    private static Client flinkStream(String mode, String settings, Function<Source, List<String>> begin) {
        return new ProgramClient(
                "Flink CDC",
                mode,
                settings + FLINK_LOGIN,
                () -> version("flink"),
                source -> java("flink", "flink.FlinkStream", login(source), List.of("shop,docs"), begin.apply(source)));
    }

    /** Clients that copy the tables of the workload, at its end. */
    static List<Client> copies() {
        return List.of(
                debeziumCopy(
                        "embedded engine, initial",
                        Compared.COPY,
                        "`snapshot.mode=initial`, `snapshot.locking.mode=none`",
                        source -> List.of("copy", "shop,docs", "initial", "none")),
                flinkCopy(
                        "initial, 2 readers",
                        Compared.COPY,
                        "`StartupOptions.snapshot()`, that is `initial` without the stream; `splitSize(50)`",
                        List.of("copy", "shop,docs", "2", "50")));
    }

    /** Clients that copy the tables while they change, and then read the binlog. */
    static List<Client> copiesUnderLoad() {
        return List.of(
                flinkCopy(
                        "initial, 2 readers, under load",
                        Compared.EXACT_COPY_AND_STREAM,
                        "`StartupOptions.initial()`; `splitSize(100)`",
                        List.of("stream", "bank,shop", "2", "100")),
                new ProgramClient(
                        "Flink CDC",
                        "latest-offset, under load",
                        "`StartupOptions.latest()`" + FLINK_LOGIN,
                        Compared.STREAM,
                        () -> version("flink"),
                        source -> java("flink", "flink.FlinkStream", login(source), List.of("bank,shop", "latest"))),
                debeziumOnRequest("file", "signal in a file", "`signal.enabled.channels=file`"),
                debeziumOnRequest(
                        "source",
                        SIGNAL_ON_A_SHARD,
                        "`signal.enabled.channels=source`, `signal.data.collection` a table whose row is inserted on a shard"),
                debeziumUnderLoad("initial", "minimal"),
                debeziumUnderLoad("initial", "none"),
                debeziumUnderLoad("when_needed", "minimal"),
                debeziumCopy(
                        "embedded engine, when_needed, " + PURGED + ", under load",
                        Compared.COPY_AND_STREAM,
                        "`snapshot.mode=when_needed`, with offsets in a file that is purged",
                        source -> List.of(
                                "stream",
                                "bank,shop",
                                "when_needed",
                                "minimal",
                                source.half().gtids())));
    }

    private static Client debeziumOnRequest(String channel, String mode, String settings) {
        return debeziumCopy(
                "embedded engine, incremental snapshot, " + mode + ", under load",
                Compared.COPY_IN_STREAM,
                "`snapshot.mode=no_data`, `read.only=true`, " + settings
                        + "; with a `heartbeat.action.query`: it is refused, and Debezium continues",
                "DebeziumSnapshotOnRequest",
                source -> List.of("bank,shop", channel));
    }

    private static Client debeziumUnderLoad(String mode, String locking) {
        return debeziumCopy(
                "embedded engine, " + mode + ", locking " + locking + ", under load",
                Compared.COPY_AND_STREAM,
                "`snapshot.mode=" + mode + "`, `snapshot.locking.mode=" + locking + "`",
                source -> List.of("stream", "bank,shop", mode, locking));
    }

    private static Client debeziumCopy(
            String mode, Compared compared, String settings, Function<Source, List<String>> arguments) {
        return debeziumCopy(mode, compared, settings, "DebeziumCopy", arguments);
    }

    private static Client debeziumCopy(
            String mode, Compared compared, String settings, String main, Function<Source, List<String>> arguments) {
        return new ProgramClient(
                "Debezium",
                mode,
                "`serve.select=true` in Tributary; " + settings + "; `driver.allowPublicKeyRetrieval=true` without TLS",
                compared,
                () -> version("debezium"),
                source -> java(
                        "debezium",
                        "debezium." + main,
                        List.of(source.folder().toString()),
                        login(source),
                        arguments.apply(source)));
    }

    private static Client flinkCopy(String mode, Compared compared, String settings, List<String> arguments) {
        return new ProgramClient(
                "Flink CDC",
                mode,
                "`serve.select=true` in Tributary; " + settings
                        + FLINK_LOGIN + "; checkpoints, without which it does not begin with"
                        + " the binlog",
                compared,
                () -> version("flink"),
                source -> java("flink", "flink.FlinkCopy", login(source), arguments));
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

    private static Client canalService(String mode, Function<Source, String> gtids) {
        return new ProgramClient(
                "canal",
                mode,
                "the deployer's parts: server with an instance, position with `timestamp`, tsdb in H2 (several statements in one command),"
                        + " and the client;"
                        + " `serve.native-password=true` in Tributary",
                () -> version("canal"),
                source -> java(
                        "canal",
                        "canal.CanalService",
                        List.of(source.folder().toString()),
                        login(source),
                        List.of(
                                source.half().file(),
                                Long.toString(source.half().position()),
                                millis(source.half()),
                                gtids.apply(source))));
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

    private static String millis(Source.Place place) {
        return Long.toString(TimeUnit.SECONDS.toMillis(place.second()));
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
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        line.addAll(
                switch (module) {
                    case "flink", "flink-sql" -> FLINK_OPTIONS;
                    case "spark" -> SPARK_OPTIONS;
                    default -> List.of("-Xmx512m");
                });
        line.addAll(List.of(
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
