package io.tributary.backup.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Classifies a failed call to an S3 store: retry, an operator must act, or another writer was faster. */
final class S3Failure {
    static final int NOT_FOUND = 404;
    static final int NOT_IMPLEMENTED = 501;
    private static final int CHANGED = 412;
    private static final Set<Integer> REFUSALS = Set.of(301, 307, 400, 401, 403, 404, 405);

    /** Codes of 400 answers that are temporary: the store received the bytes too slowly, or they were damaged in transit. */
    private static final Set<String> PASSING = Set.of("RequestTimeout", "BadDigest", "IncompleteBody", "SlowDown");

    private S3Failure() {}

    /**
     * The exception to throw.
     *
     * @param where the store and the object
     * @param action the action that failed, as in "expected to send it"
     */
    static TributaryException of(String where, String action, RuntimeException cause) {
        return new TributaryException(
                code(cause), where + ": expected to " + action + ", found " + found(cause), cause);
    }

    private static ErrorCode code(RuntimeException cause) {
        if (!(cause instanceof S3Exception answer)) {
            return ErrorCode.BACKUP_FAILED;
        }
        if (answer.statusCode() == CHANGED) {
            return ErrorCode.BACKUP_CONFLICT;
        }
        boolean refused = REFUSALS.contains(answer.statusCode()) && !PASSING.contains(errorCode(answer));
        return refused ? ErrorCode.BACKUP_REFUSED : ErrorCode.BACKUP_FAILED;
    }

    private static String found(RuntimeException cause) {
        if (!(cause instanceof S3Exception answer)) {
            return cause.getMessage();
        }
        String hint = switch (answer.statusCode()) {
            case 401, 403 -> "no permission: ";
            case NOT_FOUND -> errorCode(answer).equals("NoSuchBucket") ? "no such bucket: " : "";
            case CHANGED -> "that an object exists already: ";
            default -> "";
        };
        return hint + answer.getMessage();
    }

    private static String errorCode(S3Exception answer) {
        AwsErrorDetails details = answer.awsErrorDetails();
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }
}
