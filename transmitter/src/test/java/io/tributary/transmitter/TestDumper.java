package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A Dumper that the test's own thread runs. */
final class TestDumper implements AutoCloseable {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Link<Chunk> link = new Link<>("received", 16, 1 << 20, Chunk::bytes, Clock.SYSTEM);
    private final TransmitReceiver receiver;
    private volatile long durableCut;
    private long peak;

    TestDumper(TransmitConfig config, StreamIdentity identity, long epoch, Optional<Cut> resume) {
        this(config, identity, epoch, new StreamStart(resume, Collections::emptyIterator));
    }

    TestDumper(TransmitConfig config, StreamIdentity identity, long epoch, StreamStart start) {
        receiver = new TransmitReceiver(
                config, new RequestedStream(identity, epoch, start), link, () -> durableCut, allocator);
    }

    /** Runs the receiver until a condition holds, without reading its outlet. */
    void work(BooleanSupplier until) {
        long deadline = Clock.SYSTEM.nanoTime() + DEADLINE_NANOS;
        while (!until.getAsBoolean()) {
            assertTrue(Clock.SYSTEM.nanoTime() < deadline, "nothing happened within a minute");
            if (receiver.doWork() == 0) {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    /** The next chunk, checked; the caller releases it. */
    Chunk next() {
        work(() -> link.peek() != null);
        peak = Math.max(peak, memory());
        Chunk chunk = link.poll();
        Chunks.check(chunk);
        return chunk;
    }

    /** Reads and releases chunks until this one has arrived, and returns all of them, released. */
    List<Chunk> takeUntil(long number) {
        List<Chunk> taken = new ArrayList<>();
        do {
            Chunk chunk = next();
            chunk.release();
            taken.add(chunk);
        } while (taken.get(taken.size() - 1).number() < number);
        return taken;
    }

    /** Makes the Dumper report this cut as durable. */
    void madeDurable(long cut) {
        durableCut = cut;
    }

    /** Bytes of messages that have arrived and are held. */
    long memory() {
        return allocator.metric().usedDirectMemory();
    }

    /** The largest value of {@link #memory()} when a chunk was read. */
    long peak() {
        return peak;
    }

    @Override
    public void close() {
        receiver.close();
        link.drain(Chunk::release);
    }
}
