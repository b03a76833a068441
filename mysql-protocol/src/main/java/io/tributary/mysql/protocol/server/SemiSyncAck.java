package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;

/**
 * The packet that a semi-sync reader sends during a dump for an event that it has to acknowledge: 0xef, u64 position, name
 * of the file (MySQL: plugin/semisync/semisync_replica.cc).
 *
 * @param file the name in the ROTATE events of the dump
 * @param position after the event, equal to its log_pos
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
                            + " bytes, found 0x" + Integer.toHexString(magic) + " and " + in.readableBytes()
                            + " bytes after the position");
        }
        return new SemiSyncAck(LengthEncoding.readRest(in), position);
    }
}
