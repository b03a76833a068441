package io.tributary.mysql.protocol.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.tributary.mysql.event.EventHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A reader that shares the packets of another one receives the same bytes and numbers as alone. */
final class SharedFramesTest {
    private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
    private static final long SEED = 20_261_122;

    private final Random random = new Random(SEED);
    private final List<Integer> bounds = new ArrayList<>();

    /** Events of random lengths that fill the buffer. */
    private ByteBuffer events(int bytes) {
        ByteBuffer buf = ByteBuffer.allocateDirect(bytes);
        bounds.clear();
        bounds.add(0);
        int at = 0;
        while (bytes - at >= 2 * EventHeader.LENGTH) {
            int most = bytes - at - EventHeader.LENGTH;
            int size = EventHeader.LENGTH + random.nextInt(Math.min(most, 300));
            for (int i = at; i < at + size; i++) {
                buf.put(i, (byte) random.nextInt());
            }
            EventHeader.setSize(buf, at, size);
            at += size;
            bounds.add(at);
        }
        return buf;
    }

    @Test
    void everyReaderReceivesTheSameAsAlone() {
        try (SharedFrames shared = new SharedFrames()) {
            EventFrames[] sharing = new EventFrames[5];
            EventFrames[] alone = new EventFrames[sharing.length];
            for (int i = 0; i < sharing.length; i++) {
                sharing[i] = new EventFrames(ALLOCATOR, i == 4);
                alone[i] = new EventFrames(ALLOCATOR, i == 4);
            }
            for (int content = 0; content < 30; content++) {
                ByteBuffer block = events(3_000);
                for (int turn = 0; turn < 15; turn++) {
                    int reader = random.nextInt(sharing.length);
                    int first = random.nextInt(3);
                    int last = bounds.size() - 1 - random.nextInt(2);
                    int from = bounds.get(first);
                    int to = bounds.get(last);
                    ByteBuf own = alone[reader].frame(block, from, to, false);
                    ByteBuf reused = sharing[reader].frame(block, from, to, shared, content);
                    assertEquals(own.nioBuffer(), reused.nioBuffer(), "seed " + SEED);
                    assertEquals(alone[reader].nextId(), sharing[reader].nextId());
                    reused.skipBytes(reused.readableBytes()); // as sending does
                    own.release();
                    reused.release();
                }
            }
        }
    }

    @Test
    void readersWithTheSameNumbersShareTheBytesAndOneMayBeSlow() {
        SharedFrames shared = new SharedFrames();
        ByteBuffer block = events(5_000);
        int end = bounds.get(bounds.size() - 1);
        ByteBuf first = new EventFrames(ALLOCATOR, false).frame(block, 0, end, shared, 1);
        ByteBuf second = new EventFrames(ALLOCATOR, false).frame(block, 0, end, shared, 1);
        assertEquals(first.memoryAddress(), second.memoryAddress());
        ByteBuffer bytes = ByteBuffer.allocate(second.readableBytes()).put(second.nioBuffer());
        first.release();
        shared.close();
        assertEquals(bytes.flip(), second.nioBuffer());
        assertEquals(1, second.refCnt());
        second.release();
    }
}
