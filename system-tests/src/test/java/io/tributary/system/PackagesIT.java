package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the Debian packages, and of what makes a build repeatable: every entry of what is published has the time that pom.xml states. */
class PackagesIT {
    private static final String ARCHIVE = System.getProperty("tributary.archive", "");
    private static final String ARCHIVE_OF_SINK = System.getProperty("tributary.archive.sink", "");
    private static final String PACKAGE = System.getProperty("tributary.package", "");
    private static final String PACKAGE_OF_SINK = System.getProperty("tributary.package.sink", "");
    private static final int NOT_POSSIBLE_HERE = 77;

    @BeforeEach
    void requiresThePackages() {
        assumeTrue(!PACKAGE.isEmpty(), "skipped: the packages are built with -Pdist only");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "skipped: not a Debian machine");
    }

    /** In a mount namespace, on an overlay of this machine's file system. */
    @Test
    void thePackagesCanBeInstalledUpgradedRemovedAndPurgedAndTheBinlogStays() {
        String script = NodeProcess.projectHome()
                .resolve("distribution/src/test/packages")
                .toString();
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(script, PACKAGE, PACKAGE_OF_SINK));
        assumeTrue(outcome.status() != NOT_POSSIBLE_HERE, "skipped: " + outcome.output());
        assertEquals(0, outcome.status(), outcome.output());
        assertTrue(outcome.output().contains("all checks passed"), outcome.output());
    }

    @Test
    void thePackagesHaveTheLibrariesOfTheArchives() {
        assertEquals(jars(inArchive(ARCHIVE)), jars(inPackage(PACKAGE)));
        assertEquals(jars(inArchive(ARCHIVE_OF_SINK)), jars(inPackage(PACKAGE_OF_SINK)));
    }

    private static Set<String> jars(List<String> entries) {
        Set<String> names = entries.stream()
                .filter(line -> line.endsWith(".jar"))
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(names.size() > 5, names::toString);
        return names;
    }

    @Test
    void everyEntryHasTheTimeOfTheBuildAndBelongsToRoot() {
        String time = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")
                .withZone(ZoneOffset.UTC)
                .format(Instant.parse(System.getProperty("tributary.output.timestamp")));
        for (String archive : List.of(ARCHIVE, ARCHIVE_OF_SINK)) {
            assertAll(inArchive(archive), time, archive);
        }
        for (String file : List.of(PACKAGE, PACKAGE_OF_SINK)) {
            List<String> entries = inPackage(file);
            assertAll(entries, time, file);
            assertAll(entries, "root/root", file);
        }
    }

    private static void assertAll(List<String> entries, String part, String file) {
        List<String> others =
                entries.stream().filter(line -> !line.contains(part)).toList();
        assertTrue(entries.size() > 10, () -> file + ": " + entries);
        assertEquals(List.of(), others, () -> file + ": expected " + part);
    }

    @Test
    void noFileNamesTheMachineOrTheFolderOfTheBuild() throws IOException {
        String home = NodeProcess.projectHome().toRealPath().toString();
        String sbom =
                run(List.of("sh", "-c", "tar xzOf '" + ARCHIVE + "' --wildcards '*/sbom.json' '*/THIRD-PARTY.txt'"));
        assertTrue(sbom.contains("CycloneDX"), sbom.substring(0, Math.min(200, sbom.length())));
        assertTrue(!sbom.contains(home), () -> "names " + home);
        String unit = run(List.of(
                "sh",
                "-c",
                "dpkg-deb --fsys-tarfile '" + PACKAGE + "' | tar xOf - ./lib/systemd/system/tributary.service"));
        assertTrue(unit.contains("ExecStart=/usr/bin/tributary start "), unit);
        assertTrue(!unit.replace("=@system-service", "").contains("@"), () -> "a token was not replaced: " + unit);
    }

    private static List<String> inArchive(String archive) {
        return run(List.of("env", "TZ=UTC", "tar", "tvzf", archive)).lines().toList();
    }

    private static List<String> inPackage(String file) {
        return run(List.of("env", "TZ=UTC", "dpkg-deb", "--contents", file))
                .lines()
                .toList();
    }

    private static String run(List<String> command) {
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        assertEquals(0, outcome.status(), outcome.output());
        return outcome.output();
    }
}
