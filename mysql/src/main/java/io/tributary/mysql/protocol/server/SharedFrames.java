package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The packets that one reader got last, for others who get the same events: they differ in nothing but their ids. Readers whose ids are
 * the same share the bytes; for the others they are copied and numbered anew. For the readers of one event loop.
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

    /** What is kept is of other events. */
    void begin(long newContent, int at, int end, int id) {
        close();
        content = newContent;
        from = at;
        to = end;
        firstId = id;
        count = 0;
    }

    /** A packet begins at this offset. */
    void packet(int at) {
        if (count == packets.length) {
            packets = Arrays.copyOf(packets, 2 * count);
        }
        packets[count++] = at;
    }

    /** All of them are in this buffer, which goes on being the caller's too. */
    void keep(ByteBuf all) {
        framed = all.retain();
    }

    boolean holds(long wantedContent, int at, int end) {
        return framed != null && content == wantedContent && from == at && to == end;
    }

    /** How many packets there are. */
    int count() {
        return count;
    }

    /** The packets with ids from this one on, for the caller to release; where {@link #holds}. */
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

    /** Gives back what is kept. */
    @Override
    public void close() {
        if (framed != null) {
            framed.release();
            framed = null;
        }
    }
}
