package io.tributary.dumper.replicate;

import io.tributary.common.error.TributaryException;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromLeader;

/** A follower's end of its call to the leader; nothing here blocks. */
interface LeaderLine extends AutoCloseable {
    void send(FromFollower message);

    /**
     * The next message, null for none now.
     *
     * @throws TributaryException STREAM_BROKEN when the call has ended; what the leader refuses it with
     */
    FromLeader poll();

    @Override
    void close();
}
