package io.tributary.seed.folder;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Path;

/** Errors of the file system as errors of a seed. */
final class FileErrors {
    private FileErrors() {}

    static TributaryException of(Path file, IOException cause) {
        boolean isFull = cause.getMessage() != null && cause.getMessage().contains("No space left on device");
        return new TributaryException(
                isFull ? ErrorCode.DISK_FULL : ErrorCode.IO_FAILED,
                file + ": expected a file that can be written, found " + cause
                        + " | the folder is not complete: delete it, "
                        + (isFull ? "use a disk with more free space, " : "correct the cause, ")
                        + "then run the seed again",
                cause);
    }
}
