package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;

/** A buffer that joins bytes that arrive in more than one chunk; it grows to the largest event, and shrinks after a large one. */
final class CarryOver implements AutoCloseable {
    private static final int USUAL_SIZE = 1 << 16;

    private ByteBuf memory;
    private ByteBuffer view;
    private int size;

    CarryOver() {
        allocate(USUAL_SIZE);
    }

    private void allocate(int capacity) {
        memory = PooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
        view = memory.nioBuffer(0, capacity);
    }

    /** Reserves room for {@code bytes} in total, so that they are not copied again while they grow. */
    void reserve(int bytes) {
        if (bytes > view.capacity()) {
            ByteBuf old = memory;
            ByteBuffer oldView = view;
            allocate((int) Math.min(Integer.MAX_VALUE - 64L, Math.max(bytes, oldView.capacity() * 3L / 2)));
            view.put(0, oldView, 0, size);
            old.release();
        }
    }

    /** Appends a copy of bytes of {@code from}. */
    void append(ByteBuffer from, int at, int length) {
        reserve(size + length);
        view.put(size, from, at, length);
        size += length;
    }

    int size() {
        return size;
    }

    /** The joined bytes, from 0 to {@link #size()}. */
    ByteBuffer view() {
        return view;
    }

    void clear() {
        size = 0;
        if (view.capacity() > USUAL_SIZE * 16) {
            memory.release();
            allocate(USUAL_SIZE);
        }
    }

    @Override
    public void close() {
        memory.release();
        view = ByteBuffer.allocate(0);
        size = 0;
    }
}
