package io.tributary.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An unpacked server. Servers of Maven artifacts need the system libraries {@code libaio.so.1} and {@code libnuma.so.1}; servers
 * of Debian contain all their libraries.
 */
public final class MysqlDistribution {
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");

    private final MysqlRelease release;
    private final Path folder;

    MysqlDistribution(MysqlRelease release, Path folder) {
        this.release = release;
        this.folder = folder;
    }

    public MysqlRelease release() {
        return release;
    }

    /** The name of its entries in the cache. */
    String name() {
        return release.cacheName();
    }

    /** The base directory of the server. */
    Path base() {
        return release.isOfDebian() ? folder.resolve("usr") : folder;
    }

    /** The folder with the password plugins that MariaDB, as a replica or a client, needs for a MySQL source. */
    public Optional<Path> clientPlugins() {
        Path plugins = folder.resolve("usr/lib/x86_64-linux-gnu/libmariadb3/plugin");
        return release.isMariadb() && Files.isDirectory(plugins) ? Optional.of(plugins) : Optional.empty();
    }

    List<String> mysqld() {
        return program(release.isMariadb() ? "mariadbd" : "mysqld");
    }

    /** The beginning of a command line that runs one of its programs, such as {@code mysqlbinlog}. */
    public List<String> program(String name) {
        if (!release.isOfDebian()) {
            return List.of(folder.resolve("bin").resolve(name).toString());
        }
        Path file = Stream.of("usr/sbin", "usr/bin")
                .map(place -> folder.resolve(place).resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(release + " has no program " + name));
        return DebianPackages.program(folder, file);
    }

    /** Its exact version, such as 8.0.31, as the server reports it. */
    public String version() {
        List<String> command = Stream.concat(mysqld().stream(), Stream.of("--no-defaults", "--version"))
                .toList();
        String output = MysqlTools.run(command).output();
        Matcher version = VERSION.matcher(output.substring(output.indexOf("Ver") + 1));
        if (!version.find()) {
            throw new IllegalStateException("expected a version of " + release + ", found " + output);
        }
        return version.group();
    }

    /** The error in a failed server's log, in one line, with an action if one is known. */
    static String explain(Path log) {
        String text;
        try {
            text = Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String library : new String[] {"libaio", "libnuma"}) {
            if (text.contains("error while loading shared libraries: " + library)) {
                return "mysqld needs the system library " + library + ".so.1: apt-get install " + library + "1";
            }
        }
        String errors = String.join(
                " | ",
                text.lines().filter(line -> line.contains("[ERROR]")).limit(5).toList());
        return errors.isEmpty() ? "its log " + log + " ends with: " + tail(text) : errors;
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 500)).strip().replace("\n", " | ");
    }
}
