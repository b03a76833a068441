package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line runs from the layout of the archive: bin/ and lib/ beside each other, wherever it is called from. */
class ArchiveIT {
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
}
