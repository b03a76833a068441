package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.LengthEncoding;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * COM_BINLOG_DUMP or COM_BINLOG_DUMP_GTID (manual pages of these names; MySQL: sql/rpl_source.cc).
 *
 * @param serverId the reader's id, 0 to 2^32-1
 * @param flags as sent; bit meanings differ between MySQL and MariaDB clients
 * @param file without zero bytes; empty means the first file, or, with a GTID set, any
 * @param position offset in the file; below 4 means 4
 * @param gtids the transactions that the reader has; empty in a dump by file and position
 */
public record DumpRequest(long serverId, int flags, String file, long position, Optional<GtidSet> gtids) {
    private static final int FLAG_NON_BLOCK = 1;
    private static final int FLAG_HEARTBEAT_V2 = 2;

    /** Whether to end at the current end of the binlog; a reader without a server id requires the same. */
    public boolean isNonBlocking() {
        return (flags & FLAG_NON_BLOCK) != 0 || serverId == 0;
    }

    /** Bit 1: a MySQL replica from 8.0.26 on accepts heartbeats of type 41; a MariaDB client and canal request annotations by it. */
    public boolean wantsHeartbeatV2() {
        return (flags & FLAG_HEARTBEAT_V2) != 0;
    }

    static DumpRequest readByPosition(ByteBuf in) {
        LengthEncoding.need(in, 10);
        long position = in.readUnsignedIntLE();
        int flags = in.readUnsignedShortLE();
        long serverId = in.readUnsignedIntLE();
        String file = withoutZeros(LengthEncoding.readRest(in));
        return new DumpRequest(serverId, flags, file, Math.max(4, position), Optional.empty());
    }

    static DumpRequest readByGtid(ByteBuf in) {
        LengthEncoding.need(in, 10);
        int flags = in.readUnsignedShortLE();
        long serverId = in.readUnsignedIntLE();
        String file = withoutZeros(new String(sized(in), StandardCharsets.UTF_8));
        LengthEncoding.need(in, 8);
        long position = in.readLongLE();
        byte[] set = in.isReadable() ? sized(in) : new byte[0];
        return new DumpRequest(serverId, flags, file, Math.max(4, position), Optional.of(decode(set)));
    }

    private static byte[] sized(ByteBuf in) {
        LengthEncoding.need(in, 4);
        long length = in.readUnsignedIntLE();
        LengthEncoding.need(in, (int) Math.min(Integer.MAX_VALUE, length));
        byte[] bytes = new byte[(int) length];
        in.readBytes(bytes);
        return bytes;
    }

    private static GtidSet decode(byte[] set) {
        try {
            return set.length == 0 ? GtidSet.EMPTY : GtidSet.decode(set);
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.GTID_SET_MALFORMED, "COM_BINLOG_DUMP_GTID: " + e.getMessage(), e);
        }
    }

    private static String withoutZeros(String name) {
        int zero = name.indexOf('\0');
        return zero < 0 ? name : name.substring(0, zero);
    }
}
