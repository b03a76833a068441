package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventType;
import io.tributary.testkit.WakeupOnly;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The collector's stages on separate threads, which sleep until they are woken. */
class CollectorThreadsTest {
    private static final long DEADLINE_NANOS = 60_000_000_000L;

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Link<Token> in = new Link<>("merged", 256, Clock.SYSTEM);
    private final Link<Chunk> out = new Link<>("chunks", 16, Clock.SYSTEM);
    private final ChunkReader reader = new ChunkReader(9);

    @Test
    void everyTransactionIsWrittenInOrderAndEveryPayloadIsReleased() {
        CollectorConfig config = TestConfig.refusing(new ByteSize(8 << 10), 64, new ByteSize(32 << 10), 3);
        CollectorStages stages = CollectorStages.of(
                config,
                new CollectorStages.Origin(9, 80036),
                new OrderStart(OrderMode.XA, Tokens.firstCut(1)),
                new CollectorLinks(in, out, new RoundRequest(), () -> 1),
                new CollectorResources(TestSchema.store(), new Metrics(), Clock.SYSTEM));
        StageRunner runner = new StageRunner((stage, cause) -> failure.set(cause));
        WakeupOnly.all(stages.all()).forEach(runner::onOwnThread);
        runner.start();
        try {
            passThrough(4000);
            for (int more = 0; more < 200; more++) { // in the stages when it ends
                put(new TestPayload(held).statement(1, EventType.WRITE_ROWS_EVENT, 1, 500), new Tokens(0));
            }
        } finally {
            runner.close();
        }
        take();
        assertEquals(null, failure.get());
        assertEquals(0, held.get(), "payloads that were not released");
    }

    private void passThrough(int transactions) {
        SplittableRandom random = new SplittableRandom(1);
        Tokens log = new Tokens(0);
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < transactions; i++) {
            TestPayload payload = new TestPayload(held);
            int rowBytes = random.nextInt(200) == 0 ? 40_000 : random.nextInt(300);
            payload.statement(1, EventType.WRITE_ROWS_EVENT, random.nextInt(1, 3), rowBytes);
            if (random.nextBoolean()) {
                payload.inOnePiece();
            }
            expected.add(payload.bytes());
            put(payload, log);
        }
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (reader.transactions().size() < transactions && System.nanoTime() < deadline) {
            take();
            Thread.onSpinWait();
        }
        assertEquals(transactions, reader.transactions().size());
        for (int i = 0; i < transactions; i++) {
            assertArrayEquals(expected.get(i), reader.transactions().get(i).payload());
        }
        assertTrue(reader.pieces() > 0);
    }

    private void put(TestPayload payload, Tokens log) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!in.hasRoom()) {
            assertTrue(System.nanoTime() < deadline, "the collector accepts no more");
            take();
            Thread.onSpinWait();
        }
        in.put(log.local(payload));
    }

    private void take() {
        for (Chunk chunk = out.poll(); chunk != null; chunk = out.poll()) {
            reader.put(chunk);
        }
    }
}
