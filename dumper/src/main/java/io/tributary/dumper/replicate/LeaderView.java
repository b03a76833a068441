package io.tributary.dumper.replicate;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.replicate.proto.ReplicateWire;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromFollower;

/**
 * What a leader's sessions have in common.
 *
 * @param identity of the log that is copied
 * @param epoch under which it leads; the sessions end with it
 * @param quietNanos after so long without a message a follower gets a sign of life
 * @param bytes sent to followers
 */
record LeaderState(
        LogIdentity identity, BinlogFiles files, long epoch, AckCount acks, long quietNanos, Count bytes, Clock clock) {

    /** Readers may read up to here; {@link BinlogPlace#NONE} while it is not known. */
    BinlogPlace acknowledged() {
        DurableEnd end = files.durableEnd();
        return end.offset() == 0 ? BinlogPlace.NONE : BinlogPlace.of(end);
    }

    void sent(int count) {
        bytes.add(count);
    }

    /** Refuses a follower that cannot be one. */
    void check(FromFollower message) {
        ReplicateWire.Open open = message.getOpen();
        if (open.getVersion() != LogIdentity.VERSION) {
            throw contradiction("protocol version " + LogIdentity.VERSION, "version " + open.getVersion(), open);
        }
        LogIdentity theirs = new LogIdentity(open.getCluster(), open.getName());
        if (!theirs.equals(identity)) {
            throw contradiction(identity.toString(), theirs.toString(), open);
        }
        if (Long.compareUnsigned(message.getEpoch(), epoch) > 0) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "this leader's epoch " + epoch + " is over: follower " + open.getMember() + " knows of epoch "
                            + Long.toUnsignedString(message.getEpoch()));
        }
        if (open.getMember().isEmpty()) {
            throw contradiction("a follower with a name", "one without", open);
        }
    }

    private static TributaryException contradiction(String expected, String got, ReplicateWire.Open open) {
        return new TributaryException(
                ErrorCode.STREAM_CONTRADICTION,
                "expected " + expected + " as this leader has it, got " + got + " from follower '" + open.getMember()
                        + "'");
    }
}
