package io.tributary.binlog.replicate;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.ArrayDeque;
import java.util.Deque;

/** A call between a follower and its leader on one thread, which a test can break. */
final class TestWire implements LeaderChannel {
    private static final int MAX_AHEAD = 6;

    private final Deque<byte[]> toLeader = new ArrayDeque<>();
    private final Deque<byte[]> toFollower = new ArrayDeque<>();
    private TributaryException end;

    /** The leader's end. */
    final FollowerChannel leaderEnd = new FollowerChannel() {
        @Override
        public FromFollower poll() {
            byte[] message = toLeader.poll();
            try {
                return message == null ? null : FromFollower.parseFrom(message);
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean hasRoom() {
            return end == null && toFollower.size() < MAX_AHEAD;
        }

        @Override
        public void send(FromLeader message) {
            if (end == null) {
                toFollower.add(message.toByteArray());
            }
        }

        @Override
        public void end(TributaryException cause) {
            end = end == null ? cause : end;
        }

        @Override
        public boolean isOver() {
            return end != null;
        }
    };

    /** Breaks the call; messages that were not received are lost. */
    void cut() {
        toFollower.clear();
        toLeader.clear();
        leaderEnd.end(new TributaryException(ErrorCode.STREAM_BROKEN, "cut"));
    }

    @Override
    public void send(FromFollower message) {
        toLeader.add(message.toByteArray());
    }

    @Override
    public FromLeader poll() {
        byte[] message = toFollower.poll();
        if (message == null && end != null) {
            throw end;
        }
        try {
            return message == null ? null : FromLeader.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        leaderEnd.end(new TributaryException(ErrorCode.STREAM_BROKEN, "the follower has ended the call"));
    }
}
