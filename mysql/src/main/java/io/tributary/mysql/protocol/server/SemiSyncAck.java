package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;

/**
 * What a semi-sync reader sends during a dump once it has an event that it was asked to acknowledge: 0xef, u64 position, name
 * of the file (MySQL: plugin/semisync/semisync_replica.cc).
 *
 * @param file as the ROTATE events of the dump named it
 * @param position behind the event, as its log_pos says
 */
public record SemiSyncAck(String file, long position) {
    static final int MAGIC = 0xef;

    private static final int MAX_NAME = 512;

    static SemiSyncAck read(ByteBuf in) {
        LengthEncoding.need(in, 9);
        int magic = in.readUnsignedByte();
        long position = in.readLongLE();
        if (magic != MAGIC || in.readableBytes() > MAX_NAME) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED,
                    "expected a semi-sync acknowledgement, 0xef, a position and a name of at most " + MAX_NAME
                            + " bytes, came 0x" + Integer.toHexString(magic) + " and " + in.readableBytes()
                            + " bytes behind the position");
        }
        return new SemiSyncAck(LengthEncoding.readRest(in), position);
    }
}
