package io.tributary.collector.order;

import io.tributary.common.value.Token;

/** Whether a shard is coming or going while the others run. */
final class Presence {
    private static final long NEVER = Long.MAX_VALUE;

    private boolean isJoining;
    private long leavesAfter = NEVER;
    private long quietFrom = NEVER;

    /** It has come while the others run: nothing is complete before its first round. */
    void join() {
        isJoining = true;
    }

    boolean isJoining() {
        return isJoining;
    }

    /** Its first round has come. */
    void joined() {
        isJoining = false;
    }

    /** It is to leave at a round above this one. */
    void leaveAfter(long round) {
        leavesAfter = round;
        quietFrom = NEVER;
    }

    void stay() {
        leavesAfter = NEVER;
    }

    boolean isLeaving() {
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

    /** Whether a whole window lay before this round, begun after it was to leave, in which nothing was logged. */
    boolean wasQuietBefore(long passing) {
        return quietFrom < passing;
    }

    /** Whether nothing but rounds has come since a round that was begun after it was to leave. */
    boolean isQuiet() {
        return quietFrom != NEVER;
    }
}
