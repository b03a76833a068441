package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.Tokens;
import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventHeader;
import io.tributary.store.HeldTokens;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import io.tributary.testkit.order.NamedTables;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is moved to the store, a queue returns the tokens that were added, in order. {@code -Dseed=} replays one run. */
class TokenQueueTest {
    private static final int RUNS = 4;
    private static final int STEPS = 15_000;
    private static final List<TableRef> TABLES = List.of(
            NamedTables.table(1, "shop", "orders"),
            NamedTables.table(2, "shop", "items"),
            NamedTables.table(3, "shop", "x"));

    @TempDir
    Path directory;

    private record Put(Token token, Branch branch, long event) {}

    private PayloadStore store(long tokens) {
        ByteSize large = new ByteSize(1 << 28);
        return new PayloadStore(
                new StoreConfig(
                        new StoreMemory(new ByteSize(1 << 20), new ByteSize(1 << 16)),
                        new SpillLimits(large, large, 90, large),
                        new ByteSize(tokens),
                        directory,
                        StoreMode.AUTO),
                new Metrics());
    }

    @Test
    void returnsTokensInOrder() {
        Long seed = Long.getLong("seed");
        for (long run = seed == null ? 1 : seed; run <= (seed == null ? RUNS : seed); run++) {
            try (PayloadStore store = store(1)) {
                compare(new SplittableRandom(run), store);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + run + ": " + e.getMessage(), e);
            }
        }
    }

    private static void compare(SplittableRandom random, PayloadStore store) {
        HeldTokens held = store.heldTokens("s0");
        held.set(1 << 20); // of 1 byte: every token that can be moved to the store is moved
        PayloadAppender appender = store.appender("s0");
        TokenQueue queue = new TokenQueue(held);
        Tokens log = new Tokens(0);
        ArrayDeque<Put> expected = new ArrayDeque<>();
        int least = Integer.MAX_VALUE;
        for (int step = 0; step < STEPS; step++) {
            boolean adds = random.nextInt(100) < (step / 5000 % 2 == 0 ? 80 : 25);
            if (adds) {
                Put put = put(random, log, appender);
                expected.add(put);
                queue.add(put.token, put.branch);
            } else if (!expected.isEmpty()) {
                take(queue, expected.remove());
            }
            assertEquals(expected.size(), queue.size());
            assertEquals(expected.isEmpty(), queue.isEmpty());
            if (expected.size() > 2500) {
                least = Math.min(least, queue.onHeap());
            }
        }
        assertTrue(least < 2 * TokenQueue.BLOCK + 300, least + " tokens stayed on the heap at least");
        while (expected.size() > 2000) {
            take(queue, expected.remove());
        }
        queue.drain((token, branch) -> {
            assertEquals(expected.remove().token.gno(), token.gno());
            token.release();
        });
        assertTrue(expected.isEmpty() && queue.isEmpty());
        appender.close();
        held.close();
        assertEquals(0, store.spilled());
        assertTrue(store.hasSpilled() || store.memoryInUse() == 0, "payload is held");
    }

    private static Put put(SplittableRandom random, Tokens log, PayloadAppender appender) {
        long event = random.nextLong();
        TableRef table = TABLES.get(random.nextInt(3));
        if (random.nextInt(500) == 0) {
            log.rotate("binlog." + event);
        }
        return switch (random.nextInt(10)) {
            case 0 -> new Put(log.round(event >>> 1), null, 0);
            case 1 -> new Put(log.skipped(), null, 0);
            case 2 -> {
                Branch branch = new Branch(null, Tokens.xid("x", "y"), null, null);
                yield new Put(log.commit(branch.xid()), branch, 0);
            }
            case 3 -> new Put(log.prepare(Tokens.xid("x", "y"), payload(appender, event, 1), table), null, event);
            case 4 -> {
                Payload viewed = payload(appender, event, 1);
                viewed.contiguousView();
                yield new Put(log.local(viewed, table), null, event);
            }
            case 5 -> new Put(log.local(payload(appender, event, 9000), TABLES.get(0), table), null, event);
            default -> new Put(log.local(payload(appender, event, 1), table), null, event);
        };
    }

    private static Payload payload(PayloadAppender appender, long content, int repeats) {
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + repeats * Long.BYTES);
        for (int i = 0; i < repeats; i++) {
            event.putLong(EventHeader.LENGTH + i * Long.BYTES, content);
        }
        appender.append(event, 0, event.capacity());
        return appender.finish();
    }

    private static void take(TokenQueue queue, Put put) {
        Token token = queue.token();
        Token expected = put.token;
        assertSame(put.branch, queue.branch());
        assertEquals(expected, Tokens.again(token, token.shard(), expected.payload()));
        assertEquals(expected.payload() == null, token.payload() == null);
        if (token.payload() != null) {
            assertEquals(1, token.payload().events());
            ByteBuffer bytes = ByteBuffer.allocate((int) token.payload().length());
            try (Payload.Cursor cursor = token.payload().open()) {
                for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                    bytes.put(range.duplicate());
                }
            }
            assertEquals(put.event, bytes.getLong(EventHeader.LENGTH));
            assertEquals(put.event, bytes.getLong(bytes.capacity() - Long.BYTES));
            token.payload().release();
        }
        queue.remove();
    }
}
