package io.tributary.testkit.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** One direction of one connection: reads, applies the faults, delays, writes. Used by one thread only. */
final class Flow {
    static final long NEVER = Long.MAX_VALUE;

    static final int READ_SIZE = 16 << 10;

    private static final int MOST_HELD = 1 << 20;
    private static final long THROTTLE_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Direction direction;
    private final SocketChannel source;
    private final SocketChannel sink;
    private final Faults faults;
    private final ByteBuffer input;
    private final Deque<Held> held = new ArrayDeque<>();
    private int heldBytes;
    private boolean ended;
    private boolean shut;
    private boolean cut;
    private boolean isBlocked;
    private long nextThrottled = Long.MIN_VALUE;

    private record Held(long dueNanos, ByteBuffer bytes) {}

    /** @param input of {@link #READ_SIZE} bytes, for the time of a call of {@link #move}; flows of one thread may share it */
    Flow(Direction direction, SocketChannel source, SocketChannel sink, Faults faults, ByteBuffer input) {
        this.direction = direction;
        this.source = source;
        this.sink = sink;
        this.faults = faults;
        this.input = input;
    }

    /** Moves the bytes that can be moved now. Returns whether the connection must be closed. */
    boolean move(long now) throws IOException {
        if (faults.isSilent(direction)) {
            return false;
        }
        read(now);
        write(now);
        if (!held.isEmpty()) {
            return false;
        }
        if (ended && !shut) {
            sink.shutdownOutput();
            shut = true;
        }
        return cut;
    }

    private void read(long now) throws IOException {
        cut |= faults.cutsNow(direction);
        while (!cut && !ended && heldBytes < MOST_HELD) {
            int count = source.read(input.clear());
            if (count <= 0) {
                ended = count < 0;
                return;
            }
            ByteBuffer bytes = ByteBuffer.allocate(count).put(input.flip()).flip();
            faults.apply(direction, bytes);
            held.add(new Held(now + faults.delayNanos(), bytes));
            heldBytes += bytes.remaining();
            cut = faults.cutsNow(direction);
            if (count < READ_SIZE) {
                return; // the selector reports what comes now
            }
        }
    }

    private void write(long now) throws IOException {
        isBlocked = false;
        long rate = faults.bytesPerSecond();
        if (rate > 0 && now - nextThrottled < 0 && nextThrottled != Long.MIN_VALUE) {
            return;
        }
        int allowance = rate == 0
                ? Integer.MAX_VALUE
                : (int) Math.max(1, Math.min(MOST_HELD, rate * THROTTLE_STEP_NANOS / TimeUnit.SECONDS.toNanos(1)));
        long written = 0;
        while (!held.isEmpty() && held.peek().dueNanos - now <= 0 && written < allowance) {
            ByteBuffer bytes = held.peek().bytes;
            int step = writeAtMost(bytes, (int) Math.min(allowance - written, bytes.remaining()));
            written += step;
            if (bytes.hasRemaining() && step == 0) {
                isBlocked = true;
                break;
            }
            if (!bytes.hasRemaining()) {
                held.poll();
            }
        }
        heldBytes -= (int) written;
        nextThrottled = rate == 0 ? Long.MIN_VALUE : now + Math.max(1, written) * TimeUnit.SECONDS.toNanos(1) / rate;
    }

    private int writeAtMost(ByteBuffer bytes, int most) throws IOException {
        ByteBuffer part = bytes.duplicate().limit(bytes.position() + most);
        int count = sink.write(part);
        bytes.position(part.position());
        return count;
    }

    /** Sets the events of the source that wake up the selector. */
    int sourceInterest() {
        return !faults.isSilent(direction) && !cut && !ended && heldBytes < MOST_HELD ? SelectionKey.OP_READ : 0;
    }

    /** As above, for the sink: only if it has not accepted bytes that are due. */
    int sinkInterest() {
        return isBlocked && !faults.isSilent(direction) ? SelectionKey.OP_WRITE : 0;
    }

    /** When delayed bytes are due, on the clock of {@code now}; {@link #NEVER} if there are none, or the sink does not accept them. */
    long wakeAt() {
        if (held.isEmpty() || isBlocked || faults.isSilent(direction)) {
            return NEVER;
        }
        long due = held.peek().dueNanos;
        return nextThrottled != Long.MIN_VALUE && nextThrottled - due > 0 ? nextThrottled : due;
    }

    /** Whether the source has ended and all bytes were written. */
    boolean isDone() {
        return shut;
    }
}
