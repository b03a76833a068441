package io.tributary.common.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The properties by which a change of a file is detected: a replaced file has another identity, and a written file has another time or
 * size.
 *
 * @param modified time of the last change, as precise as the file system keeps it
 * @param size in bytes; -1 if there is no such file
 * @param identity given by the file system, such as device and inode; empty if it has none
 */
public record FileStamp(String modified, long size, Optional<String> identity) {
    private static final FileStamp NONE = new FileStamp("", -1, Optional.empty());

    /** The file's stamp now; {@link #NONE} if the file is missing or its attributes cannot be read. */
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

    /** Whether the file exists and its attributes can be read. */
    public boolean exists() {
        return size >= 0;
    }
}
