package io.tributary.faults.kind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The binlog files of a node that does not run. */
final class BinlogFolder {
    private BinlogFolder() {}

    /** All files, oldest first. */
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                    .sorted()
                    .toList();
        }
    }

    static Path last(Path folder) throws IOException {
        List<Path> files = files(folder);
        return files.get(files.size() - 1);
    }
}
