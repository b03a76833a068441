package io.tributary.sink;

/**
 * What is done with messages that are larger than {@link SinkPlan.Limits#messageBytes}.
 *
 * @param kind the choice
 * @param store for {@link Kind#CLAIM_CHECK}, else {@link ClaimStore#NONE}
 */
public record LargeMessages(Kind kind, ClaimStore store) {
    /** The choices. */
    public enum Kind {
        /** The run ends with SINK_MESSAGE_TOO_LARGE. */
        ERROR,
        /** The message is stored, and a message with its location and the columns of the handle key is sent. */
        CLAIM_CHECK,
        /** A message with the columns of the handle key is sent. */
        HANDLE_KEY
    }

    /** The run ends. */
    public static final LargeMessages ERROR = new LargeMessages(Kind.ERROR, ClaimStore.NONE);

    /** Only the columns of the handle key are sent. */
    public static final LargeMessages HANDLE_KEY = new LargeMessages(Kind.HANDLE_KEY, ClaimStore.NONE);

    /** The message is stored. */
    public static LargeMessages claimCheck(ClaimStore store) {
        return new LargeMessages(Kind.CLAIM_CHECK, store);
    }
}
