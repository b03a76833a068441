package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The packets that one reader received last, for other readers of the same events: they differ only in their ids. Readers with the same
 * ids share the bytes; for the others they are copied with new ids. For the readers of one event loop.
 */
public final class SharedFrames implements AutoCloseable {
    private static final int ID_AT = 3;

    private ByteBuf framed; // null for none
    private long content;
    private int from;
    private int to;
    private int firstId;
    private int[] packets = new int[64];
    private int count;

    /** Drops the stored packets and begins those of other events. */
    void begin(long newContent, int at, int end, int id) {
        close();
        content = newContent;
        from = at;
        to = end;
        firstId = id;
        count = 0;
    }

    /** Records that a packet begins at this offset. */
    void packet(int at) {
        if (count == packets.length) {
            packets = Arrays.copyOf(packets, 2 * count);
        }
        packets[count++] = at;
    }

    /** Stores the buffer of all packets, which the caller still owns too. */
    void keep(ByteBuf all) {
        framed = all.retainedDuplicate(); // with its own indices: the caller's change while it is sent
    }

    boolean holds(long wantedContent, int at, int end) {
        return framed != null && content == wantedContent && from == at && to == end;
    }

    /** The number of packets. */
    int count() {
        return count;
    }

    /** The packets with ids from this one on, which the caller releases; only if {@link #holds}. */
    ByteBuf withIds(ByteBufAllocator allocator, int id) {
        if (id == firstId) {
            return framed.retainedDuplicate();
        }
        int size = framed.readableBytes();
        ByteBuf copy = allocator.directBuffer(size, size);
        ByteBuffer out = copy.nioBuffer(0, size);
        out.put(0, framed.nioBuffer(framed.readerIndex(), size), 0, size);
        for (int i = 0; i < count; i++) {
            out.put(packets[i] + ID_AT, (byte) (id + i));
        }
        return copy.writerIndex(size);
    }

    /** Releases the stored packets. */
    @Override
    public void close() {
        if (framed != null) {
            framed.release();
            framed = null;
        }
    }
}
