package io.tributary.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Packages of a Debian suite, unpacked into a folder with all their dependencies, including their own C library: so a
 * server of another release runs here without being installed. Downloaded and verified by apt, from the mirror in
 * this machine's apt configuration. It needs no root rights.
 */
final class DebianPackages {
    private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final int SHOWN = 400;

    private DebianPackages() {}

    /**
     * Unpacks packages into a folder.
     *
     * @param whole packages to unpack with all their dependencies
     * @param alone packages to unpack without dependencies
     */
    static void unpack(Path folder, String suite, List<String> whole, List<String> alone) throws IOException {
        if (!Files.exists(KEYRING) || !Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
            throw new IOException("expected Debian's apt and " + KEYRING + ", which are missing on this machine");
        }
        Path apt = Files.createTempDirectory("tributary-apt-");
        try {
            List<String> client = client(apt, suite);
            run(apt, client, "update");
            run(apt, client, concat(List.of("install", "-y", "--no-install-recommends", "--download-only"), whole));
            if (!alone.isEmpty()) {
                run(apt, client, concat(List.of("download"), alone));
            }
            for (Path archives : List.of(apt.resolve("cache/archives"), apt)) {
                unpackAll(archives, folder);
            }
        } finally {
            Folders.delete(apt);
        }
    }

    /** The beginning of a command line that runs an unpacked program with its unpacked libraries. */
    static List<String> program(Path folder, Path file) {
        Path libraries = folder.resolve("usr/lib/x86_64-linux-gnu");
        Path old = folder.resolve("lib/x86_64-linux-gnu");
        Path loader = Stream.of(libraries, old)
                .map(place -> place.resolve("ld-linux-x86-64.so.2"))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("expected a loader in " + libraries + ", found none"));
        return List.of(loader.toString(), "--library-path", libraries + ":" + old, file.toString());
    }

    /** Runs apt-get with its own state, in which nothing is installed, and one source: the suite. */
    private static List<String> client(Path apt, String suite) throws IOException {
        Files.createDirectories(apt.resolve("state/lists/partial"));
        Files.createDirectories(apt.resolve("cache/archives/partial"));
        Files.createFile(apt.resolve("status"));
        Files.writeString(
                apt.resolve("sources.list"), "deb [signed-by=" + KEYRING + "] " + mirror() + " " + suite + " main\n");
        List<String> client = new ArrayList<>(List.of("apt-get", "-q"));
        for (String option : List.of(
                "Dir::State=" + apt.resolve("state"),
                "Dir::State::status=" + apt.resolve("status"),
                "Dir::Cache=" + apt.resolve("cache"),
                "Dir::Etc::sourcelist=" + apt.resolve("sources.list"),
                "Dir::Etc::sourceparts=/dev/null",
                "APT::Sandbox::User=" + System.getProperty("user.name"),
                "Acquire::Languages=none")) {
            client.addAll(List.of("-o", option));
        }
        return client;
    }

    /** The Debian mirror in this machine's apt configuration. */
    private static String mirror() throws IOException {
        MysqlTools.Outcome targets =
                MysqlTools.run(List.of("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"));
        return targets.output()
                .lines()
                .filter(uri -> uri.matches("\\w+://\\S*/debian/?"))
                .findFirst()
                .orElseThrow(() -> new IOException("this machine's apt has no Debian mirror"));
    }

    private static void run(Path apt, List<String> client, String... arguments) throws IOException {
        run(apt, client, List.of(arguments));
    }

    private static void run(Path apt, List<String> client, List<String> arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(concat(client, arguments))
                .directory(apt.toFile())
                .redirectErrorStream(true)
                .redirectOutput(apt.resolve("log").toFile());
        try (ChildProcess child = ChildProcess.start(builder)) {
            int status = child.process().onExit().join().exitValue();
            if (status != 0) {
                String log = Files.readString(apt.resolve("log"));
                throw new IOException("apt-get " + String.join(" ", arguments) + " ended with status " + status + ": "
                        + log.substring(Math.max(0, log.length() - SHOWN)).strip());
            }
        }
    }

    private static void unpackAll(Path archives, Path folder) throws IOException {
        List<Path> packages;
        try (Stream<Path> entries = Files.list(archives)) {
            packages = entries.filter(file -> file.toString().endsWith(".deb")).toList();
        }
        for (Path one : packages) {
            MysqlTools.Outcome outcome =
                    MysqlTools.run(List.of("dpkg-deb", "--extract", one.toString(), folder.toString()));
            if (outcome.status() != 0) {
                throw new IOException("dpkg-deb cannot unpack " + one.getFileName() + ": " + outcome.output());
            }
        }
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
