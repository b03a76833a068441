package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code tributary cluster renew}, for a directory that was restored to an earlier state. */
class RenewCommandTest {
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int renew(Path binlog) throws IOException {
        Path file = Files.writeString(folder.resolve("node.properties"), "binlog.directory = " + binlog + "\n");
        CommandLine line = TributaryCommand.commandLine(new StopSignal());
        line.setOut(new PrintWriter(new StringWriter()));
        line.setErr(new PrintWriter(err));
        return line.execute("cluster", "renew", "-c", file.toString());
    }

    @Test
    void theDirectoryIsANewCopyOfTheSameBinlog() throws IOException {
        Path binlog = Files.createDirectory(folder.resolve("binlog"));
        Files.writeString(binlog.resolve("auto.cnf"), "[auto]\nserver-uuid=11111111-2222-3333-4444-555555555555\n");
        String copy = "99999999-2222-3333-4444-555555555555";
        Files.writeString(binlog.resolve("copy.id"), copy + "\n");
        assertEquals(0, renew(binlog), err.toString());
        String renewed = Files.readString(binlog.resolve("copy.id")).strip();
        assertNotEquals(copy, renewed);
        assertTrue(Files.readString(binlog.resolve("auto.cnf")).contains("11111111-2222-3333-4444-555555555555"));
        assertEquals(0, renew(binlog), err.toString());
        assertNotEquals(renewed, Files.readString(binlog.resolve("copy.id")).strip());
    }

    @Test
    void isRefusedWhileTheNodeRunsAndWithoutADirectory() throws IOException {
        assertEquals(1, renew(folder.resolve("none")));
        assertTrue(err.toString().startsWith("DIRECTORY_UNUSABLE: " + folder.resolve("none")), err.toString());
        assertTrue(Files.notExists(folder.resolve("none")));
        Path binlog = folder.resolve("binlog");
        BinlogConfig config = new ConfigReader(List.of(BinlogConfig.class))
                .read("test", List.of("binlog.directory = " + binlog), Map.of())
                .get(BinlogConfig.class);
        try (BinlogDirectory held = BinlogDirectory.open(config, Clock.SYSTEM)) {
            assertEquals(1, renew(held.path()));
        }
        assertTrue(err.toString().contains("DIRECTORY_IN_USE"), err.toString());
    }
}
