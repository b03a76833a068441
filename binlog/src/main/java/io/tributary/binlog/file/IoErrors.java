package io.tributary.binlog.file;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Translates failures of file operations into this product's exceptions. */
public final class IoErrors {
    private IoErrors() {}

    /**
     * The exception to throw: DISK_FULL when the disk or the user's quota is full, else IO_FAILED.
     *
     * @param action the operation that failed, such as {@code write 512 bytes at offset 4}
     */
    public static TributaryException of(Path path, String action, IOException cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        boolean full = text.contains("no space left") || text.contains("quota exceeded");
        ErrorCode code = full ? ErrorCode.DISK_FULL : ErrorCode.IO_FAILED;
        return new TributaryException(code, path + ": expected to " + action + ", found " + cause, cause);
    }
}
