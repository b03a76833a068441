package io.tributary.testkit.order;

import io.tributary.common.value.Payload;
import java.nio.ByteBuffer;

/** A payload without bytes that knows whether it was released, and refuses to be released twice. For one thread. */
public final class CountedPayload implements Payload {
    /** How many are held. */
    public static final class Counter {
        private int held;

        /** A new one, which is held. */
        public CountedPayload take() {
            held++;
            return new CountedPayload(this);
        }

        public int held() {
            return held;
        }
    }

    private final Counter counter;
    private boolean released;

    private CountedPayload(Counter counter) {
        this.counter = counter;
    }

    @Override
    public long length() {
        return 0;
    }

    @Override
    public int events() {
        return 0;
    }

    @Override
    public ByteBuffer contiguousView() {
        return ByteBuffer.allocate(0);
    }

    @Override
    public Cursor open() {
        throw new UnsupportedOperationException("it has no bytes");
    }

    @Override
    public void release() {
        if (released) {
            throw new IllegalStateException("released twice");
        }
        released = true;
        counter.held--;
    }
}
