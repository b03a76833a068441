package io.tributary.binlog.replicate;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.proto.ReplicateWire;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Clock;

/**
 * The state that all sessions of a leader share.
 *
 * @param epoch of the leader term; the sessions end with it
 * @param quietNanos after this time without a message a follower gets a keep-alive
 * @param bytes counter of the bytes sent to followers
 */
record LeaderView(LeaderLog log, long epoch, AckCount acks, long quietNanos, Count bytes, Clock clock) {
    BinlogFiles files() {
        return log.files();
    }

    /** Readers may read up to here; {@link FileOffset#NONE} while that is unknown. */
    FileOffset acknowledged() {
        BinlogPosition end = files().durableEnd();
        return end.offset() == 0 ? FileOffset.NONE : FileOffset.of(end);
    }

    void sent(int count) {
        bytes.add(count);
    }

    /** Refuses a follower that does not fit this leader. */
    void check(FromFollower message) {
        ReplicateWire.Open open = message.getOpen();
        if (open.getVersion() != LogIdentity.VERSION) {
            throw contradiction("protocol version " + LogIdentity.VERSION, "version " + open.getVersion(), open);
        }
        LogIdentity theirs = new LogIdentity(open.getCluster(), open.getName());
        if (!theirs.equals(log.identity())) {
            throw contradiction(log.identity().toString(), theirs.toString(), open);
        }
        if (Long.compareUnsigned(message.getEpoch(), epoch) > 0) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected epoch " + epoch + " or older from follower " + open.getMember() + ", found epoch "
                            + Long.toUnsignedString(message.getEpoch()));
        }
        if (open.getMember().isEmpty()) {
            throw contradiction("a follower with a name", "one without", open);
        }
    }

    private static TributaryException contradiction(String expected, String found, ReplicateWire.Open open) {
        return new TributaryException(
                ErrorCode.STREAM_CONTRADICTION,
                "expected " + expected + " as on this leader, found " + found + " from follower '" + open.getMember()
                        + "'");
    }
}
