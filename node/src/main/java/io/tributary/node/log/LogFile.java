package io.tributary.node.log;

import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.pipeline.Wakeup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The file of the log with its older files: NAME, NAME.1, NAME.2 and so on, the newest first. If they are to be compressed, those from
 * NAME.2 on become NAME.2.gz and so on, on another thread; NAME.1 stays as it is for programs that still read it. Any thread.
 */
final class LogFile implements AutoCloseable {
    private static final int FIRST_COMPRESSED = 2;

    private final Path path;
    private final long most;
    private final int files;
    private final Wakeup rotated = new Wakeup();
    private StageRunner compression; // null: none
    private OutputStream out;
    private long size;
    private long rotations;

    /** An older file that is not compressed: its age, and how many rotations there were at that time. */
    private record Older(int age, long rotations) {}

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

    /** Compresses older files from now on, first those that exist. */
    synchronized LogFile compress() {
        compression = new StageRunner(
                        thread -> thread.setDaemon(true), // the log is open until the process ends
                        (stage, cause) -> LoggerFactory.getLogger(LogFile.class)
                                .error("older log files are compressed no more: stage={}", stage.name(), cause))
                .onOwnThread(new LogCompression(this, rotated));
        compression.start();
        return this;
    }

    private void open() throws IOException {
        out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        size = Files.size(path);
    }

    /** Writes whole lines; a file is larger than its limit only if one line is. */
    synchronized void write(String lines) throws IOException {
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
            Files.deleteIfExists(compressed(files - 1));
            Files.deleteIfExists(older(files - 1)); // with one file, the file itself
            for (int i = files - 2; i >= 0; i--) {
                move(compressed(i), compressed(i + 1));
                move(older(i), older(i + 1));
            }
        } finally {
            rotations++;
            open();
            rotated.ring();
        }
    }

    private static void move(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The file of this age; 0 is the one that is written. */
    private Path older(int age) {
        return age == 0 ? path : sibling("." + age);
    }

    private Path compressed(int age) {
        return sibling("." + age + ".gz");
    }

    private Path sibling(String ending) {
        return path.resolveSibling(path.getFileName() + ending);
    }

    // ---- for the compression

    /** How often the file was rotated. */
    synchronized long rotations() {
        return rotations;
    }

    /** The file that a compression writes until it is complete. */
    Path part() {
        return sibling(".gz.part");
    }

    /** Opens the oldest file that is to be compressed and is not; empty if there is none. The caller closes it. */
    synchronized Optional<LogCompression.Source> nextSource() throws IOException {
        for (int age = files - 1; age >= FIRST_COMPRESSED; age--) {
            if (Files.exists(older(age))) {
                Path file = older(age);
                Older found = new Older(age, rotations);
                Files.deleteIfExists(part());
                Files.createFile(part());
                copyRights(file, part());
                return Optional.of(new LogCompression.Source(file, Files.newInputStream(file), () -> replace(found)));
            }
        }
        return Optional.empty();
    }

    /** Who may not read a log may not read its compressed form. */
    private static void copyRights(Path from, Path to) throws IOException {
        if (Files.getFileStore(from).supportsFileAttributeView(PosixFileAttributeView.class)) {
            Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
        }
    }

    /** Replaces an older file by its compressed form, wherever it is now. */
    private synchronized void replace(Older file) throws IOException {
        long age = file.age() + rotations - file.rotations();
        if (age < files && Files.exists(older((int) age))) {
            Files.setLastModifiedTime(part(), Files.getLastModifiedTime(older((int) age)));
            move(part(), compressed((int) age));
            Files.delete(older((int) age));
        } else {
            Files.deleteIfExists(part());
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (compression != null) {
            compression.stop(); // it may be about to log, so this must not wait for it
        }
        out.close();
    }
}
