package io.tributary.compatibility;

import io.tributary.testkit.Await;
import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlRelease;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * mysqlbinlog, or MariaDB's, reading from a server. Raw copies are then read by the same program.
 *
 * @param decoded which rows it is to show: of this schema alone, or of all where it is empty
 */
record BinlogToolClient(MysqlRelease release, Way way, String decoded) implements Client {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int TAIL = 1 << 20;

    // an event's header, and the event that ends a transaction (MySQL source, libbinlogevents)
    private static final int TYPE_AT = 4;
    private static final int LENGTH_AT = 9;
    private static final int XID_EVENT = 16;
    private static final int XID_LENGTH = 27;
    private static final int CHECKSUM = 4;

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
    public String settings() {
        String settings = release.isMariadb()
                ? "`serve.native-password=true` in Tributary, and a `serve.version` that begins with 5 (it takes no server of a version that begins"
                        + " with 8 or 9); "
                        + (decoded.isEmpty()
                                ? ""
                                : "`--database` to leave JSON columns of MySQL out, at which it ends; ")
                        + "`--read-from-remote-server`"
                : "`--get-server-public-key`"
                        + (way == Way.EXCLUDE
                                ? ", `--read-from-remote-source=BINLOG-DUMP-GTIDS --exclude-gtids=...`"
                                : ", `--read-from-remote-server`");
        return settings
                + switch (way) {
                    case TEXT -> " `--to-last-log -v --base64-output=DECODE-ROWS`";
                    case RAW, EXCLUDE -> " `--to-last-log --raw`";
                    case STOP_NEVER -> " `--stop-never --raw`";
                };
    }

    @Override
    public boolean isOld() {
        return release.isMariadb();
    }

    @Override
    public Reading read(Source source) throws IOException {
        Path text = source.folder().resolve("text");
        switch (way) {
            case TEXT -> run(command(source, shown(release, decoded), "--to-last-log"), text);
            case RAW -> run(command(source, program(release), "--to-last-log", "--raw", into(source)), text);
            case EXCLUDE ->
                run(
                        command(
                                source,
                                program(release),
                                "--to-last-log",
                                "--raw",
                                into(source),
                                "--read-from-remote-source=BINLOG-DUMP-GTIDS",
                                "--exclude-gtids=" + source.half().gtids()),
                        text);
            case STOP_NEVER ->
                follow(source, command(source, program(release), "--stop-never", "--raw", into(source)), text);
        }
        return Reading.parse(
                BinlogText.lines(way == Way.TEXT ? linesOf(text) : rawCopies(release, decoded, source.folder())));
    }

    private List<String> command(Source source, List<String> program, String... more) {
        List<String> command = new ArrayList<>(program);
        boolean byGtid = way == Way.EXCLUDE;
        if (!byGtid) {
            command.add("--read-from-remote-server");
        }
        if (!release.isMariadb()) {
            command.add("--get-server-public-key");
        }
        release.distribution().clientPlugins().ifPresent(folder -> command.add("--plugin-dir=" + folder));
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

    private static List<String> program(MysqlRelease release) {
        List<String> program =
                new ArrayList<>(release.distribution().program(release.isMariadb() ? "mariadb-binlog" : "mysqlbinlog"));
        program.add("--no-defaults");
        return program;
    }

    /** The program with options that make it print rows. */
    private static List<String> shown(MysqlRelease release, String decoded) {
        List<String> program = program(release);
        program.addAll(List.of("-v", "--base64-output=DECODE-ROWS"));
        if (!decoded.isEmpty()) {
            program.add("--database=" + decoded);
        }
        return program;
    }

    private static String into(Source source) {
        return "--result-file=" + source.folder() + "/";
    }

    private static void run(List<String> command, Path output) throws IOException {
        Path errors = output.resolveSibling("errors");
        try (ChildProcess child = ChildProcess.start(
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile()))) {
            if (!child.awaitExit(LIMIT)) {
                throw new IOException("it did not end: " + told(errors));
            }
            if (child.exitValue() != 0) {
                throw new IOException("it ended with status " + child.exitValue() + ": " + told(errors));
            }
        }
    }

    /** Copies until the last row has come. A copy may be smaller than the file: MariaDB's tool asks for events without checksums. */
    private void follow(Source source, List<String> command, Path output) throws IOException {
        Path copy = source.folder().resolve(source.newestFile().getFileName());
        try (ChildProcess child = ChildProcess.start(command, output)) {
            Await.until(
                    () -> "all in " + copy + ", " + copy.toFile().length() + " bytes: " + told(output), LIMIT, () -> {
                        if (!child.isAlive()) {
                            throw new IllegalStateException(told(output));
                        }
                        return Files.exists(copy) && holdsTheLastRow(copy);
                    });
        }
    }

    /** Whether behind the table of the last row stands the XID, with or without a checksum, that ends its transaction. */
    private static boolean holdsTheLastRow(Path copy) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "r")) {
            byte[] tail = new byte[(int) Math.min(TAIL, file.length())];
            file.seek(file.length() - tail.length);
            file.readFully(tail);
            int table = new String(tail, StandardCharsets.ISO_8859_1).indexOf("shop\0\4done\0");
            ByteBuffer events = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
            return table >= 0 // cuts may stand behind it
                    && IntStream.rangeClosed(table, tail.length - XID_LENGTH)
                            .filter(at -> events.get(at + TYPE_AT) == XID_EVENT)
                            .map(at -> events.getInt(at + LENGTH_AT))
                            .anyMatch(length -> length == XID_LENGTH || length == XID_LENGTH + CHECKSUM);
        }
    }

    /** What stands in the copies of binlog files in a folder, as a release's tool prints it. */
    static List<String> rawCopies(MysqlRelease release, String decoded, Path folder) throws IOException {
        List<String> command = shown(release, decoded);
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
            return text.isBlank() ? "without a word" : text.strip();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
