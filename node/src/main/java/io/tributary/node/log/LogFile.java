package io.tributary.node.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The file of the log with its older files: NAME, NAME.1, NAME.2 and so on, the newest first. Not thread-safe. */
final class LogFile implements AutoCloseable {
    private final Path path;
    private final long most;
    private final int files;
    private OutputStream out;
    private long size;

    /**
     * Opens the file and continues it.
     *
     * @param most size from which on the next file begins, bytes
     * @param files how many exist at most, with this one
     */
    LogFile(Path path, long most, int files) throws IOException {
        this.path = path.toAbsolutePath();
        this.most = most;
        this.files = files;
        Files.createDirectories(this.path.getParent());
        open();
    }

    private void open() throws IOException {
        out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        size = Files.size(path);
    }

    /** Writes whole lines; a file is larger than its limit only if one line is. */
    void write(String lines) throws IOException {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        if (size > 0 && size + bytes.length > most) {
            rotate();
        }
        out.write(bytes);
        size += bytes.length;
    }

    private void rotate() throws IOException {
        out.close();
        try {
            Files.deleteIfExists(older(files - 1)); // with one file, the file itself
            for (int i = files - 2; i >= 0; i--) {
                if (Files.exists(older(i))) {
                    Files.move(older(i), older(i + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } finally {
            open();
        }
    }

    /** The file of this age; 0 is the one that is written. */
    private Path older(int age) {
        return age == 0 ? path : path.resolveSibling(path.getFileName() + "." + age);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
