package io.tributary.binlog.replicate;

import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.common.error.TributaryException;

/** A follower's end of its call to the leader. No method blocks. */
interface LeaderChannel extends AutoCloseable {
    void send(FromFollower message);

    /**
     * The next message; null when there is none now.
     *
     * @throws TributaryException STREAM_BROKEN when the call has ended; or the error with which the leader refuses the follower
     */
    FromLeader poll();

    @Override
    void close();
}
