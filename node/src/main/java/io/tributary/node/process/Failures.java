package io.tributary.node.process;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** Converts what a stage threw to a {@link TributaryException}. */
public final class Failures {
    private Failures() {}

    /** @param stage name of the stage, for messages of other exceptions */
    public static TributaryException of(String stage, Throwable cause) {
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

    /** Converts a failure of a shard that was read before to SHARD_HELD: the node does not end, the shard is held and retried until it is fixed. */
    public static TributaryException held(TributaryException failure) {
        return failure.code().holdsShard()
                ? new TributaryException(ErrorCode.SHARD_HELD, failure.line(), failure)
                : failure;
    }

    /**
     * Converts a failure that an operator has to correct: the node does not end, it tries again. A wrong configuration ends the node, as a
     * contradiction does.
     *
     * @param code such as APPLY_HELD
     */
    public static TributaryException held(TributaryException failure, ErrorCode code) {
        boolean isHeld = failure.code().severity() == Severity.OPERATOR && failure.code() != ErrorCode.CONFIG_INVALID;
        return isHeld ? new TributaryException(code, failure.line(), failure) : failure;
    }

    private static boolean isDiskFull(Throwable cause) {
        return cause.getMessage() != null && cause.getMessage().contains("No space left on device");
    }
}
