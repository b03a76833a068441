package io.tributary.binlog.replicate;

import io.tributary.binlog.replicate.proto.ReplicateWire;
import io.tributary.binlog.write.CopyWriter;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Checks that a batch arrived as the leader sent it. For one thread. */
final class BatchCheck {
    private final HostPort leader;
    private final CRC32C checksum = new CRC32C();

    BatchCheck(HostPort leader) {
        this.leader = leader;
    }

    /**
     * The bytes of the batch, not copied.
     *
     * @throws TributaryException STREAM_BROKEN when they do not match their checksum
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
                            + Integer.toHexString(batch.getChecksum()) + ", found checksum "
                            + Long.toHexString(checksum.getValue()));
        }
        return bytes;
    }

    /**
     * As {@link CopyWriter#syncAndVerify}. Bytes that match their checksum and are damaged are requested again: if the leader's own file is
     * damaged, the leader finds that out then.
     *
     * @throws TributaryException STREAM_BROKEN instead of BINLOG_CORRUPT
     */
    boolean verified(CopyWriter writer, boolean endsAtCut) {
        try {
            return writer.syncAndVerify(endsAtCut);
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.BINLOG_CORRUPT) {
                throw e;
            }
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN,
                    "expected valid events from the leader at " + leader + ", found damage (they are requested again): "
                            + e.getMessage(),
                    e);
        }
    }
}
