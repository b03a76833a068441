package io.tributary.dumper.replicate;

import io.tributary.common.error.TributaryException;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromLeader;

/** The leader's end of a call that a follower has opened; nothing here blocks. */
interface FollowerLine {
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
