package io.tributary.binlog.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** File operations that are durable on disk when they return. */
public final class DirectorySync {
    private DirectorySync() {}

    /** Syncs a folder's entries: names that were created, renamed or deleted in it. */
    public static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Creates a folder and its missing parents. */
    static void create(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            return;
        }
        Path parent = absolute.getParent();
        if (parent != null) {
            create(parent);
        }
        Files.createDirectory(absolute);
        if (parent != null) {
            force(parent);
        }
    }

    /** Replaces a small text file atomically: after a crash it has the old or the new content. */
    static void replace(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path draft = folder.resolve(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(folder);
    }
}
