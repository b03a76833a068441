package io.tributary.system;

import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** The layout of an unpacked archive, created from the output of the build: bin/ and lib/ in one folder. */
final class ArchiveLayout {
    private ArchiveLayout() {}

    /** Creates the folder of a test in the folder target, on the file system of the libraries: they are linked, not copied. */
    static final class InTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), "archive");
        }
    }

    /** Creates the archive and returns its folder. */
    static Path in(Path folder) throws IOException {
        Path project = NodeProcess.projectHome();
        Path target = project.resolve("node/target");
        Path archive = Files.createDirectories(folder.resolve("tributary-1"));
        Path bin = Files.createDirectories(archive.resolve("bin")).resolve("tributary");
        Files.copy(project.resolve("bin/tributary"), bin, StandardCopyOption.COPY_ATTRIBUTES);
        Path lib = Files.createDirectories(archive.resolve("lib"));
        link(lib, target.resolve("lib"), "*.jar");
        link(lib, target, "tributary-node-*.jar");
        return archive;
    }

    private static void link(Path into, Path from, String glob) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(from, glob)) {
            for (Path jar : jars) {
                Files.createLink(into.resolve(jar.getFileName()), jar.toAbsolutePath());
            }
        }
    }
}
