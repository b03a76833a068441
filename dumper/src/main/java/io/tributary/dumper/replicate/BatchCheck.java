package io.tributary.dumper.replicate;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.replicate.proto.ReplicateWire;
import io.tributary.dumper.write.CopyWriter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Whether a batch has arrived as the leader sent it. For one thread. */
final class BatchCheck {
    private final HostPort leader;
    private final CRC32C checksum = new CRC32C();

    BatchCheck(HostPort leader) {
        this.leader = leader;
    }

    /**
     * The batch's bytes, which are not copied.
     *
     * @throws TributaryException STREAM_BROKEN where they do not fit their checksum
     */
    ByteBuffer checked(ReplicateWire.Batch batch) {
        ByteBuffer bytes = batch.getBytes().asReadOnlyByteBuffer();
        checksum.reset();
        checksum.update(bytes.duplicate());
        if ((int) checksum.getValue() != batch.getChecksum()) {
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN,
                    "expected the " + bytes.remaining() + " bytes at " + FollowerSession.place(batch.getPlace())
                            + " from the leader at " + leader + " with checksum "
                            + Integer.toHexString(batch.getChecksum()) + ", they have "
                            + Long.toHexString(checksum.getValue()));
        }
        return bytes;
    }

    /**
     * As {@link CopyWriter#settle}; what came as it was sent and is damaged all the same is asked for again: a leader whose own file is damaged
     * there sees it then.
     *
     * @throws TributaryException STREAM_BROKEN in place of BINLOG_CORRUPT
     */
    boolean settled(CopyWriter writer, boolean endsAtCut) {
        try {
            return writer.settle(endsAtCut);
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.BINLOG_CORRUPT) {
                throw e;
            }
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN,
                    "the leader at " + leader + " sent damaged events, which are asked for again: " + e.getMessage(),
                    e);
        }
    }
}
