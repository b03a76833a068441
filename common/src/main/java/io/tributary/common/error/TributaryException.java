package io.tributary.common.error;

/** The one exception of Tributary: a code, and a message that says what was expected, what came, from where. */
public final class TributaryException extends RuntimeException {
    private final ErrorCode code;

    /** @param message what was expected, what came, from which shard, at which position; no row data, no secrets */
    public TributaryException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** As above, of what has thrown another exception. */
    public TributaryException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** What it is, and so what to do about it. */
    public ErrorCode code() {
        return code;
    }

    /** The line that an operator reads: code, message, remedy. */
    public String line() {
        String message = getMessage();
        return code + ": " + message + (message.endsWith(code.remedy()) ? "" : " | " + code.remedy());
    }
}
