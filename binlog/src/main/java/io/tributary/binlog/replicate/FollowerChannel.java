package io.tributary.binlog.replicate;

import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Set;

/** The leader's end of a call that a follower has opened. No method blocks. */
interface FollowerChannel {
    /** The errors that a follower may receive, each with its remedy. All other errors are the leader's own; the follower receives STREAM_BROKEN. */
    Set<ErrorCode> CODES = Set.of(
            ErrorCode.EPOCH_OVER,
            ErrorCode.FOLLOWER_BEHIND,
            ErrorCode.STREAM_BROKEN,
            ErrorCode.STREAM_RENEWED,
            ErrorCode.STREAM_CONTRADICTION);

    /** The next message; null when there is none now. */
    FromFollower poll();

    /** Whether a message that is sent now leaves soon. */
    boolean hasRoom();

    /** Sends a message, unless the call has ended. The message's bytes are no longer used when this returns. */
    void send(FromLeader message);

    /** Ends the call; the follower receives the cause. */
    void end(TributaryException cause);

    /** Whether the call has ended, on either side. */
    boolean isOver();
}
