package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.Manifest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupProgressTest {
    private final StringWriter out = new StringWriter();
    private final List<Manifest.Entry> files = List.of(file(1, 300), file(2, 100));

    private static Manifest.Entry file(int number, long size) {
        return new Manifest.Entry(
                String.format("binlog.%06d", number), size, "00", number, number, 0, Optional.empty(), false);
    }

    private String show(boolean hasBar) {
        BackupProgress progress = new BackupProgress(new PrintWriter(out), hasBar, files);
        for (Manifest.Entry file : files) {
            progress.begins(file);
            progress.moved(file.size() / 2);
            progress.moved(file.size() / 2);
            progress.ended(file, "done");
        }
        progress.clear();
        return out.toString();
    }

    @Test
    void printsOneLinePerFileWithoutATerminal() {
        assertEquals(
                List.of("binlog.000001: done", "binlog.000002: done"),
                show(false).lines().toList());
    }

    @Test
    void printsABarOnATerminal() {
        String shown = show(true);
        assertTrue(shown.contains("[" + " ".repeat(30) + "]   0.0 %  0 of 2 files  binlog.000001"), shown);
        assertTrue(shown.contains("37.5 %  0 of 2 files"), shown);
        assertTrue(shown.contains("[" + "#".repeat(22) + " ".repeat(8) + "]  75.0 %  1 of 2 files"), shown);
        assertTrue(shown.contains("[" + "#".repeat(30) + "] 100.0 %  2 of 2 files"), shown);
        assertTrue(shown.endsWith("\r\u001b[K"), "the bar is removed");
        assertFalse(shown.lines().toList().isEmpty());
    }
}
