package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.testkit.alert.AlertCheck;
import io.tributary.testkit.server.MysqlTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts about heap and file descriptors, with processes that use them up. */
class ProcessAlertsTest {
    @TempDir
    private Path folder;

    private AlertCheck run(String limit, String... arguments) throws Exception {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                limit + "; exec \"$@\"",
                "bash",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                classes,
                ExhaustedProcess.class.getName()));
        command.addAll(List.of(arguments));
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        assertEquals(0, outcome.status(), outcome.output());
        String[] shown = outcome.output().split(ExhaustedProcess.END + "\n", -1);
        assertEquals(2, shown.length, outcome.output());
        return new AlertCheck(folder)
                .shows(shown[0], Duration.ofMinutes(20))
                .fault()
                .shows(shown[1], Duration.ofMinutes(20));
    }

    @Test
    void anAlertFiresWhenTheHeapIsFull() throws Exception {
        run("true", "heap").assertFires("TributaryHeapFull");
    }

    @Test
    void anAlertFiresWhenMostFileDescriptorsAreUsed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        run("ulimit -n 1000", "files", file.toString()).assertFires("TributaryFilesOpen");
    }
}
