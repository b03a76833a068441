package io.tributary.testkit.server;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Copies and deletes folders with their content. */
public final class Folders {
    private Folders() {}

    /**
     * Copies a folder with its content; the target's parent must exist. Blocks of zeros, which are most of a new server's
     * data, become sparse ranges and are not written.
     */
    public static void copy(Path from, Path to) throws IOException {
        Process copy = new ProcessBuilder("cp", "-r", "--sparse=always", from.toString(), to.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        int status = copy.onExit().join().exitValue();
        if (status != 0) {
            throw new IOException("cp ended with status " + status + " from " + from + " to " + to);
        }
    }

    /** Deletes a folder with its content, if it exists. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) { // removed by a process that is ending
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
