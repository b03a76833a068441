package io.tributary.binlog.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.alert.AlertCheck;
import io.tributary.testkit.server.MysqlTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts about the disk of the binlog: a process fills a small disk, a tmpfs of its own mount namespace. */
class DiskAlertsTest {
    @TempDir
    private Path folder;

    /** What the process has shown at its start and after each step. */
    private List<String> fill(String size, int steps, int stepMiB) throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=" + size + " tmpfs " + disk + " && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                classes,
                FilledDisk.class.getName(),
                disk.toString(),
                Integer.toString(steps),
                Integer.toString(stepMiB)));
        assertEquals(0, outcome.status(), outcome.output());
        List<String> shown = List.of(outcome.output().split(FilledDisk.END + "\n"));
        assertEquals(steps + 1, shown.size(), outcome.output());
        return shown;
    }

    @Test
    void anAlertFiresWhenLittleSpaceIsFree() throws Exception {
        List<String> shown = fill("5180m", 2, 40);
        new AlertCheck(folder)
                .shows(shown.get(0), Duration.ofMinutes(20))
                .fault()
                .shows(shown.get(2), Duration.ofMinutes(20))
                .assertFires("TributaryDiskSpaceLow");
    }

    /** The disk is not full yet, but will be within four hours. */
    @Test
    void anAlertFiresBeforeTheDiskIsFull() throws Exception {
        List<String> shown = fill("120m", 40, 1);
        AlertCheck alert = new AlertCheck(folder)
                .shows(shown.get(0), Duration.ofMinutes(30))
                .fault();
        shown.subList(1, shown.size()).forEach(step -> alert.shows(step, Duration.ofMinutes(1)));
        alert.assertFires("TributaryDiskFillsUp");
        assertTrue(shown.get(40).contains("tributary_binlog_disk_free_bytes"), shown.get(40));
    }
}
