package io.tributary.dumper.replicate;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromLeader;
import java.util.Set;

/** The leader's end of a call that a follower has opened; nothing here blocks. */
interface FollowerLine {
    /** What a follower may be told, each with what it has to do; all else is the leader's own, and STREAM_BROKEN for a follower. */
    Set<ErrorCode> CODES = Set.of(
            ErrorCode.EPOCH_OVER,
            ErrorCode.FOLLOWER_BEHIND,
            ErrorCode.STREAM_BROKEN,
            ErrorCode.STREAM_RENEWED,
            ErrorCode.STREAM_CONTRADICTION);

    /** The next message, null for none now. */
    FromFollower poll();

    /** Whether what is sent now would leave soon. */
    boolean hasRoom();

    /** Sends a message, unless the follower has gone; its bytes are free when this returns. */
    void send(FromLeader message);

    /** Ends the call; the follower reads why. */
    void end(TributaryException cause);

    /** Whether the call has ended, on either side. */
    boolean isOver();
}
