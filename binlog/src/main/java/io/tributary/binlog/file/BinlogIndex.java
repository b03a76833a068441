package io.tributary.binlog.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The index file in MySQL's format: one line {@code ./binlog.NNNNNN} for each file, oldest first. It is always replaced as a whole. */
public final class BinlogIndex {
    private final Path path;

    public BinlogIndex(Path path) {
        this.path = path;
    }

    public boolean exists() {
        return Files.exists(path);
    }

    /** Names of the files without folders. */
    public List<String> read() throws IOException {
        return Files.readAllLines(path, StandardCharsets.UTF_8).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .toList();
    }

    public void write(List<String> names) throws IOException {
        StringBuilder text = new StringBuilder();
        names.forEach(name -> text.append("./").append(name).append('\n'));
        DirectorySync.replace(path, text.toString());
    }
}
