package io.tributary.collector.order;

import io.tributary.common.value.Token;

/** The state of a shard that joins or leaves while the others run. */
public final class ShardMembership {
    private static final long NEVER = Long.MAX_VALUE;

    private boolean isJoining;
    private long leavesAfter = NEVER;
    private long quietFrom = NEVER;

    /** The shard joins while the others run: no transaction is complete before its first round. */
    public void join() {
        isJoining = true;
    }

    public boolean isJoining() {
        return isJoining;
    }

    /** Its first round has been received. */
    public void joined() {
        isJoining = false;
    }

    /** The shard is to leave at a round after this one. */
    public void requestLeave(long round) {
        leavesAfter = round;
        quietFrom = NEVER;
    }

    public void cancelLeave() {
        leavesAfter = NEVER;
    }

    public boolean isLeaving() {
        return leavesAfter != NEVER;
    }

    /** A token of a shard that is to leave has been received. */
    void received(Token token) {
        switch (token.kind()) {
            case ROUND -> quietFrom = token.round() > leavesAfter ? Math.min(quietFrom, token.round()) : quietFrom;
            case SKIPPED -> {}
            default -> quietFrom = NEVER;
        }
    }

    /** Whether the window before this round began after the request to leave, and nothing was logged in it. */
    public boolean wasQuietBefore(long passing) {
        return quietFrom < passing;
    }

    /** Whether only rounds were received since a round that began after the request to leave. */
    public boolean isQuiet() {
        return quietFrom != NEVER;
    }
}
