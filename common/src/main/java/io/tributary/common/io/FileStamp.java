package io.tributary.common.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * By what one sees that a file has changed: a file that was replaced has another identity, one that was written to another time or
 * size.
 *
 * @param modified time of the last change, as precise as the file system keeps it
 * @param size in bytes; -1 where there is no such file
 * @param identity the file system's own, such as device and inode; empty where it has none
 */
public record FileStamp(String modified, long size, Optional<String> identity) {
    private static final FileStamp NONE = new FileStamp("", -1, Optional.empty());

    /** The file's stamp now; one of its own where it is missing or cannot be looked at. */
    public static FileStamp of(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(
                    found.lastModifiedTime().toString(),
                    found.size(),
                    Optional.ofNullable(found.fileKey()).map(Object::toString));
        } catch (NoSuchFileException e) {
            return NONE;
        } catch (IOException e) {
            return new FileStamp(e.toString(), -1, Optional.empty());
        }
    }

    /** Whether there was a file, and it could be looked at. */
    public boolean exists() {
        return size >= 0;
    }
}
