package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the archive that an operator installs: bin/tributary finds lib/ from any working directory, and no part is missing. */
class ArchiveIT {
    /** The archive, if the build has created it. */
    private static final Optional<String> ARCHIVE =
            Optional.ofNullable(System.getProperty("tributary.archive")).filter(path -> !path.isEmpty());

    private static final String OPTIONS = "TRIBUTARY_JAVA_OPTS";

    @TempDir(factory = ArchiveLayout.InTarget.class)
    private Path folder;

    @Test
    void theScriptFindsTheLibrariesOfItsArchiveThroughALink() throws IOException {
        Path bin = ArchiveLayout.in(folder).resolve("bin/tributary");
        Path called = Files.createSymbolicLink(folder.resolve("tributary"), bin);

        MysqlTools.Outcome version = MysqlTools.run(List.of(called.toString(), "--version"));
        assertEquals(0, version.status(), version.output());
        assertTrue(version.output().startsWith("tributary "), version.output());

        Path missing = folder.resolve("missing.properties");
        MysqlTools.Outcome check = MysqlTools.run(List.of(called.toString(), "check", "-c", missing.toString()));
        assertEquals(1, check.status(), check.output());
        assertTrue(check.output().contains("CONFIG_INVALID"), check.output());
    }

    @Test
    void theArchiveContainsAllThatANodeNeeds() throws Exception {
        Path home = unpacked();
        String program = home.resolve("bin/tributary").toString();
        MysqlTools.Outcome help = asInstalled(program, "--help");
        assertEquals(0, help.status(), help.output());
        assertTrue(help.output().contains("start") && help.output().contains("backup"), help.output());

        try (LocalCluster cluster = LocalCluster.withShards(folder.resolve("cluster"), 1)) {
            NodeProcess node = cluster.node()
                    .from(home)
                    .with(OPTIONS, "-XX:TieredStopAtLevel=1")
                    .start();
            String version = asInstalled(program, "--version").output().strip();
            assertTrue(node.ask("/status?as=text").orElse("").startsWith(version), version);
            assertNoneReadableByOthers(Path.of(node.config().get("binlog.directory")));
        }
    }

    /** The files contain rows of all shards: only the node's user and group may read them. */
    private static void assertNoneReadableByOthers(Path binlog) throws IOException {
        try (Stream<Path> files = Files.list(binlog)) {
            Map<Path, String> rights = new TreeMap<>();
            for (Path file : files.toList()) {
                rights.put(file, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
            assertTrue(rights.containsKey(binlog.resolve("binlog.000001")), rights::toString);
            assertTrue(rights.values().stream().allMatch(mode -> mode.endsWith("---")), rights::toString);
        }
    }

    /** Runs the program without the JVM options of the tests' nodes, which use a class archive of other class files. */
    private static MysqlTools.Outcome asInstalled(String program, String argument) {
        return MysqlTools.run(List.of("/usr/bin/env", "-u", OPTIONS, program, argument));
    }

    @Test
    void eachThirdPartyLibraryIsListedWithItsLicense() throws IOException {
        Path home = unpacked();
        assertTrue(Files.readString(home.resolve("LICENSE")).contains("Apache License"));
        assertTrue(Files.readString(home.resolve("NOTICE")).startsWith("Tributary\n"));
        List<String> listed =
                Files.readString(home.resolve("THIRD-PARTY.txt")).lines().toList();
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            for (String jar : jars.map(path -> path.getFileName().toString()).toList()) {
                boolean isOwn = jar.startsWith("tributary-");
                boolean isListed = listed.stream()
                        .map(line -> line.split("[: ]+"))
                        .anyMatch(parts -> parts.length > 3 && jar.equals(parts[1] + "-" + parts[2] + ".jar"));
                assertTrue(isOwn || isListed, () -> jar + " in " + String.join("\n", listed));
            }
        }
    }

    @Test
    void eachLibraryIsAComponentOfTheSbom() throws IOException {
        Path home = unpacked();
        String sbom = Files.readString(home.resolve("sbom.json"));
        assertTrue(sbom.contains("\"bomFormat\" : \"CycloneDX\""), sbom.substring(0, 200));
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            for (String jar : jars.map(path -> path.getFileName().toString()).toList()) {
                String name = jar.substring(0, jar.length() - ".jar".length());
                boolean isListed = sbom.lines()
                        .filter(line -> line.contains("\"purl\" : \"pkg:maven/"))
                        .map(line -> line.split("/|@|\\?"))
                        .anyMatch(parts -> parts.length > 3 && name.startsWith(parts[2] + "-" + parts[3]));
                assertTrue(isListed, () -> jar + " in " + sbom);
            }
        }
    }

    @Test
    void theLibrariesOfTheSinkAreInAnArchiveOfTheirOwn() throws IOException {
        Path home = unpacked();
        Path config = Files.write(
                folder.resolve("sink.properties"),
                List.of("node.role = sink", "sink.nodes = 127.0.0.1:1", "sink.brokers = 127.0.0.1:1"));
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-------"));
        List<String> check = List.of(
                "/usr/bin/env",
                "-u",
                OPTIONS,
                home.resolve("bin/tributary").toString(),
                "check",
                "-c",
                config.toString());
        MysqlTools.Outcome without = MysqlTools.run(check);
        assertEquals(1, without.status(), without.output());
        assertTrue(
                without.output().contains("node.role=sink: expected the libraries of the sink")
                        && without.output().contains("tributary-sink-<version>.tar.gz"),
                without.output());

        unpack(System.getProperty("tributary.archive.sink"));
        MysqlTools.Outcome with = MysqlTools.run(check);
        assertEquals(0, with.status(), with.output());
        assertTrue(with.output().contains("sink.brokers: warning: expected the brokers to answer"), with.output());
        Set<String> all = new TreeSet<>(names(home.resolve("lib")));
        all.removeIf(name -> !name.endsWith(".jar") || name.startsWith("tributary-node-"));
        Set<String> sink = new TreeSet<>(names(home.resolve("lib/sink")));
        assertTrue(sink.remove("THIRD-PARTY.txt") && sink.remove("sbom.json"), sink::toString);
        assertTrue(sink.stream().noneMatch(all::contains), () -> sink + " and " + all);
        String listed = Files.readString(home.resolve("lib/sink/THIRD-PARTY.txt"));
        sink.forEach(jar -> assertTrue(
                listed.lines()
                        .map(line -> line.split("[: ]+"))
                        .anyMatch(parts -> parts.length > 2 && jar.startsWith(parts[1] + "-" + parts[2])),
                () -> jar + " in " + listed));
        List<String> ofNode = names(NodeProcess.projectHome().resolve("node/target/lib"));
        assertTrue(
                ofNode.containsAll(sink), () -> "other versions than the node was built with: " + sink + ", " + ofNode);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    /** The check of systemd, which prints nothing for a correct unit. */
    @Test
    void systemdAcceptsTheUnit() throws IOException {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "skipped: systemd-analyze is not installed");
        String home = NodeProcess.projectHome().toRealPath().toString();
        String unit = Files.readString(NodeProcess.projectHome().resolve("distribution/src/systemd/tributary.service"));
        Path file = Files.writeString(
                folder.resolve("tributary.service"),
                unit.replace("@program@", home + "/bin/tributary").replace("@documentation@", home));
        MysqlTools.Outcome outcome =
                MysqlTools.run(List.of("/usr/bin/systemd-analyze", "verify", "--man=no", file.toString()));
        assertEquals(0, outcome.status(), outcome.output());
        assertEquals("", outcome.output());
    }

    private Path unpacked() {
        assumeTrue(ARCHIVE.isPresent(), "skipped: the archive is built with -Pdist only");
        unpack(ARCHIVE.orElseThrow());
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(path -> path.getFileName().toString().startsWith("tributary-"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unpack(String archive) {
        MysqlTools.Outcome outcome = MysqlTools.run(List.of("tar", "xzf", archive, "-C", folder.toString()));
        assertEquals(0, outcome.status(), outcome.output());
    }
}
