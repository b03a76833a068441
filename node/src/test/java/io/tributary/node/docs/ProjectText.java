package io.tributary.node.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The project's source files and pages, as text. */
final class ProjectText {
    static final Path HOME = Path.of("..");
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", "node_modules");

    private ProjectText() {}

    /** All files whose name ends so, below the project's folder, in their order. */
    static List<Path> files(String ending) {
        try (Stream<Path> files = Files.walk(HOME)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(ProjectText::isOurs)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        for (Path part : file) {
            if (LEFT_OUT.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
