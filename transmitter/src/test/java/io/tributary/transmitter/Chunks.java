package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A maker of chunks whose bytes follow from their numbers. It counts the chunks that are held, and overwrites their bytes on release. */
final class Chunks {
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong peakBytes = new AtomicLong();

    int held() {
        return held.get();
    }

    long heldBytes() {
        return heldBytes.get();
    }

    long peakBytes() {
        return peakBytes.get();
    }

    Chunk batch(long number, int... lengths) {
        ByteBuffer payload = payload(
                number, List.of(lengths).stream().mapToInt(all -> sum(all)).sum());
        return new Chunk.Batch(number, payload, lengths, events(lengths), () -> release(payload));
    }

    Chunk data(long number, int length) {
        ByteBuffer payload = payload(number, length);
        return new Chunk.Data(number, payload, () -> release(payload));
    }

    /** The content of the bytes is not read here. */
    private static int[] events(int[] lengths) {
        return IntStream.of(lengths).map(length -> 1 + length / 7).toArray();
    }

    private static int sum(int[] lengths) {
        int sum = 0;
        for (int length : lengths) {
            sum += length;
        }
        return sum;
    }

    private ByteBuffer payload(long number, int length) {
        int before = (int) (number % 7);
        ByteBuffer payload = ByteBuffer.allocateDirect(before + length + 3);
        payload.put(before, bytes(number, length));
        held.incrementAndGet();
        long now = heldBytes.addAndGet(length);
        peakBytes.accumulateAndGet(now, Math::max);
        return payload.limit(before + length).position(before);
    }

    private void release(ByteBuffer payload) {
        for (int i = payload.position(); i < payload.limit(); i++) {
            payload.put(i, (byte) 0xee);
        }
        held.decrementAndGet();
        heldBytes.addAndGet(-payload.remaining());
    }

    private static byte[] bytes(long number, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(number).nextBytes(bytes);
        return bytes;
    }

    static Cut cut(long number) {
        GtidSet executed = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-" + (number + 1));
        return new Cut(
                1,
                number,
                new Cut.Sources(
                        List.of(new Cut.ShardCut(
                                "s1",
                                "",
                                new ResumePosition(executed, "binlog.000001", number),
                                executed,
                                number,
                                number,
                                Cut.LeftOutGtids.NONE)),
                        Set.of()),
                new Cut.OutputPoint(number * 10, 5, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    /** Checks that a chunk arrived unchanged. */
    static void check(Chunk chunk) {
        ByteBuffer view = null;
        if (chunk instanceof Chunk.Batch batch) {
            view = batch.view();
            assertEquals(view.remaining(), sum(batch.lengths()));
            assertArrayEquals(events(batch.lengths()), batch.events());
        } else if (chunk instanceof Chunk.Data data) {
            view = data.view();
        }
        if (view != null) {
            assertTrue(view.isDirect());
            assertEquals(ByteBuffer.wrap(bytes(chunk.number(), view.remaining())), view);
        }
    }
}
