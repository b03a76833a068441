package io.tributary.compatibility;

import io.tributary.testkit.Await;
import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** mysqlbinlog, or MariaDB's, reading from a server. Raw copies are then read by the same program. */
record BinlogToolClient(MysqlRelease release, Way way) implements Client {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** How it reads. */
    enum Way {
        TEXT("remote, as text"),
        RAW("remote, raw"),
        STOP_NEVER("remote, raw, stop-never"),
        EXCLUDE("remote, raw, GTID, the first half excluded");

        private final String words;

        Way(String words) {
            this.words = words;
        }
    }

    @Override
    public String name() {
        return release.isMariadb() ? "mariadb-binlog" : "mysqlbinlog";
    }

    @Override
    public String mode() {
        return way.words;
    }

    @Override
    public String version() {
        return release.distribution().version();
    }

    @Override
    public boolean isOld() {
        return release.isMariadb();
    }

    @Override
    public Reading read(Source source) throws IOException {
        Path text = source.folder().resolve("text");
        switch (way) {
            case TEXT -> run(command(source, "--to-last-log", "-v", "--base64-output=DECODE-ROWS"), text);
            case RAW -> run(command(source, "--to-last-log", "--raw", into(source)), text);
            case EXCLUDE ->
                run(
                        command(
                                source,
                                "--to-last-log",
                                "--raw",
                                into(source),
                                "--read-from-remote-source=BINLOG-DUMP-GTIDS",
                                "--exclude-gtids=" + source.half().gtids()),
                        text);
            case STOP_NEVER -> follow(source, command(source, "--stop-never", "--raw", into(source)), text);
        }
        return Reading.parse(BinlogText.lines(way == Way.TEXT ? linesOf(text) : copied(source)));
    }

    private List<String> command(Source source, String... more) {
        List<String> command = program();
        boolean byGtid = way == Way.EXCLUDE;
        if (!byGtid) {
            command.add("--read-from-remote-server");
        }
        if (!release.isMariadb()) {
            command.add("--get-server-public-key");
        }
        command.addAll(List.of(
                "--host=" + Source.HOST,
                "--protocol=TCP",
                "--port=" + source.port(),
                "--user=" + source.user().name(),
                "--password=" + source.user().password()));
        command.addAll(List.of(more));
        command.add(Source.FIRST_FILE);
        return command;
    }

    private List<String> program() {
        return program(release);
    }

    static List<String> program(MysqlRelease release) {
        List<String> program =
                new ArrayList<>(release.distribution().program(release.isMariadb() ? "mariadb-binlog" : "mysqlbinlog"));
        program.add("--no-defaults");
        return program;
    }

    private static String into(Source source) {
        return "--result-file=" + source.folder() + "/";
    }

    private static void run(List<String> command, Path output) throws IOException {
        Path errors = output.resolveSibling("errors");
        try (ChildProcess child = ChildProcess.start(
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile()))) {
            if (!child.awaitExit(LIMIT) || child.exitValue() != 0) {
                throw new IOException(told(errors));
            }
        }
    }

    private static void follow(Source source, List<String> command, Path output) throws IOException {
        Path newest = source.newestFile();
        long size = Files.size(newest);
        Path copy = source.folder().resolve(newest.getFileName());
        try (ChildProcess child = ChildProcess.start(command, output)) {
            Await.until(() -> "a whole copy of " + newest + ": " + told(output), LIMIT, () -> {
                if (!child.isAlive()) {
                    throw new IllegalStateException(told(output));
                }
                return Files.exists(copy) && Files.size(copy) >= size;
            });
        }
    }

    private List<String> copied(Source source) throws IOException {
        return rawCopies(program(), source.folder());
    }

    /** What stands in the copies of binlog files in a folder, as a mysqlbinlog prints it. */
    static List<String> rawCopies(List<String> program, Path folder) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("-v", "--base64-output=DECODE-ROWS"));
        try (Stream<Path> files = Files.list(folder)) {
            files.map(Path::toString)
                    .filter(name -> name.matches(".*/binlog\\.\\d+"))
                    .sorted()
                    .forEach(command::add);
        }
        Path text = folder.resolve("copied");
        run(command, text);
        return linesOf(text);
    }

    private static List<String> linesOf(Path text) throws IOException {
        return new String(Files.readAllBytes(text), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
    }

    private static String told(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> !line.contains("Using a password") && !line.startsWith("WARNING"))
                    .reduce("", (all, line) -> all + " " + line);
            return text.isBlank() ? "it did not end" : text.strip();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
