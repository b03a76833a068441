package io.tributary.testkit.order;

import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import java.nio.ByteBuffer;

/** A payload without bytes that counts as held until it is released, and throws when it is released twice. For one thread. */
public final class CountedPayload implements Payload {
    /** The number of held payloads. */
    public static final class Counter {
        private int held;

        /** Creates a payload, which is held. */
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
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(0, 0, 0));
        QueryEvent.write(
                event, 0, new EventOrigin(0, 1), new LoggedStatement(0, 1, new byte[0], new byte[0], new byte[0]));
        return new Cursor() {
            private boolean isRead;

            @Override
            public ByteBuffer next() {
                ByteBuffer next = isRead ? null : event;
                isRead = true;
                return next;
            }

            @Override
            public void close() {}
        };
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
