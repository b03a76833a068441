package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BackupCommandTest {
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void reportsTheLocationWithoutBackup() throws IOException {
        Path file = Files.writeString(
                folder.resolve("node.properties"), "binlog.directory = " + folder.resolve("binlog") + "\n");
        CommandLine line = TributaryCommand.commandLine(new StopSignal());
        line.setErr(new PrintWriter(err));
        assertEquals(
                1,
                line.execute(
                        "backup",
                        "restore",
                        "-c",
                        file.toString(),
                        "--from",
                        folder.resolve("none").toString()));
        assertTrue(err.toString().startsWith("DIRECTORY_UNUSABLE: " + folder.resolve("none")), err.toString());
        assertTrue(Files.notExists(folder.resolve("binlog")));
    }
}
