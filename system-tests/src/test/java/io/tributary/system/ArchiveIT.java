package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** The command line runs from the layout of the archive: bin/ and lib/ beside each other, wherever it is called from. */
class ArchiveIT {
    /** On the file system of the libraries, which are linked and not copied. */
    @TempDir(factory = InTarget.class)
    private Path folder;

    /** Makes the folder in the build's own. */
    static final class InTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), "archive");
        }
    }

    @Test
    void theScriptFindsTheLibrariesOfItsArchiveThroughALink() throws IOException {
        Path project = NodeProcess.projectHome();
        Path target = project.resolve("node/target");
        Path archive = Files.createDirectories(folder.resolve("tributary-1"));
        Path bin = Files.createDirectories(archive.resolve("bin")).resolve("tributary");
        Files.copy(project.resolve("bin/tributary"), bin, StandardCopyOption.COPY_ATTRIBUTES);
        Path lib = Files.createDirectories(archive.resolve("lib"));
        link(lib, target.resolve("lib"), "*.jar");
        link(lib, target, "tributary-node-*.jar");
        Path called = Files.createSymbolicLink(folder.resolve("tributary"), bin);

        MysqlTools.Outcome version = MysqlTools.run(List.of(called.toString(), "--version"));
        assertEquals(0, version.status(), version.output());
        assertTrue(version.output().startsWith("tributary "), version.output());

        Path missing = folder.resolve("missing.properties");
        MysqlTools.Outcome check = MysqlTools.run(List.of(called.toString(), "check", "-c", missing.toString()));
        assertEquals(1, check.status(), check.output());
        assertTrue(check.output().contains("CONFIG_INVALID"), check.output());
    }

    private static void link(Path into, Path from, String glob) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(from, glob)) {
            for (Path jar : jars) {
                Files.createLink(into.resolve(jar.getFileName()), jar.toAbsolutePath());
            }
        }
    }
}
