package io.tributary.common.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Small files that only their owner may read: password hashes and keys. */
public final class PrivateFile {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFile() {}

    /** Creates a folder that only its owner may enter, and its missing parents. */
    public static void createFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.toAbsolutePath().getParent();
        Files.createDirectories(parent);
        Files.createDirectory(folder, mode("rwx------"));
        copyOwner(folder, parent);
        force(parent);
    }

    /**
     * Replaces a file: after a crash it is the old one or the new one, and when this returns the new one is on disk. Its owner
     * is the owner of its folder, so that an administrator can write it for the node.
     */
    public static void replace(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path draft = folder.resolve(file.getFileName() + ".tmp");
        Files.deleteIfExists(draft);
        try (FileChannel channel = FileChannel.open(
                draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode("rw-------"))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        copyOwner(draft, folder);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(folder);
    }

    /** Whether users other than the owner may read it. */
    public static boolean isOpenToOthers(Path file) throws IOException {
        return POSIX
                && PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                        .substring(3)
                        .contains("r");
    }

    private static FileAttribute<?>[] mode(String text) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))}
                : new FileAttribute<?>[0];
    }

    private static void copyOwner(Path made, Path parent) throws IOException {
        if (POSIX && !Files.getOwner(made).equals(Files.getOwner(parent))) {
            Files.setOwner(made, Files.getOwner(parent));
        }
    }

    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
