package io.tributary.node.command.order;

import io.tributary.binlog.file.IoErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes a folder that this process has made. */
public final class TemporaryFolder {
    private TemporaryFolder() {}

    /** Deletes a folder and all that is in it; throws IO_FAILED. */
    public static void delete(Path folder) {
        try {
            List<Path> all;
            try (Stream<Path> found = Files.walk(folder)) {
                all = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw IoErrors.of(folder, "delete the temporary folder", e);
        }
    }
}
