package io.tributary.common.error;

/** The only exception class of Tributary: a code, and a message with what was expected, what was found, and where. */
public final class TributaryException extends RuntimeException {
    private final ErrorCode code;

    /** @param message what was expected and found, on which shard, at which position; no row data, no secrets */
    public TributaryException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** As above, with the exception that caused it. */
    public TributaryException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The code, which defines meaning and remedy. */
    public ErrorCode code() {
        return code;
    }

    /** The line for operators: code, message, remedy. */
    public String line() {
        String message = getMessage();
        return code + ": " + message + (message.endsWith(code.remedy()) ? "" : " | " + code.remedy());
    }
}
