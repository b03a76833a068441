package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** Turns whatever a stage threw into the one exception that has a line. */
final class Failures {
    private Failures() {}

    /** @param stage the stage's name, for what has no message of its own */
    static TributaryException of(String stage, Throwable cause) {
        Throwable inner = cause;
        while (inner.getCause() != null
                && (inner instanceof ExecutionException || inner.getClass() == RuntimeException.class)) {
            inner = inner.getCause();
        }
        if (inner instanceof TributaryException known) {
            return known;
        }
        if (inner instanceof IOException) {
            return new TributaryException(
                    isDiskFull(inner) ? ErrorCode.DISK_FULL : ErrorCode.IO_FAILED, stage + ": " + inner, inner);
        }
        return new TributaryException(ErrorCode.INTERNAL, stage + ": " + inner, inner);
    }

    /** What a shard that was read before refuses is no end of the node: the shard is held, and tried again until it is corrected. */
    static TributaryException held(TributaryException failure) {
        return failure.code().holdsShard()
                ? new TributaryException(ErrorCode.SHARD_HELD, failure.line(), failure)
                : failure;
    }

    private static boolean isDiskFull(Throwable cause) {
        return cause.getMessage() != null && cause.getMessage().contains("No space left on device");
    }
}
