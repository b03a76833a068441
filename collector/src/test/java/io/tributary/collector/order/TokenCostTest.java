package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.Tokens;
import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Token;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the heap that a waiting token uses with the heap that is counted for it. */
class TokenCostTest {
    private static final int COUNT = 50_000;
    private static final int COLLECTIONS = 4;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final Metrics metrics = new Metrics();
    private final ByteBuffer event = ByteBuffer.allocate(100);
    private PayloadStore store;
    private PayloadAppender appender;
    private OrderHarness order;

    @BeforeEach
    void begin(@TempDir Path directory) {
        ByteSize large = new ByteSize(1 << 28);
        store = new PayloadStore(
                new StoreConfig(
                        new StoreMemory(large, new ByteSize(1 << 18)),
                        new SpillLimits(large, large, 90, large),
                        new ByteSize(1L << 30),
                        directory,
                        StoreMode.MEMORY),
                metrics);
        appender = store.appender("s1");
        order = new OrderHarness(store::heldTokens);
        order.feed(order.prepare(0, OrderHarness.X0), order.prepare(1, OrderHarness.X1));
        order.feed(order.logs[1].commit(OrderHarness.X1));
    }

    @AfterEach
    void end() {
        order.order.close();
        order = null; // JUnit may still hold this object while the next test measures
        appender.close();
        store.close();
    }

    private Payload payload() {
        appender.append(event, 0, event.capacity());
        return appender.finish();
    }

    /** Bytes of heap that each turn's tokens use while they wait. */
    private double retained(IntFunction<Token[]> turn) {
        feed(turn, 0, COUNT / 10);
        long before = used();
        feed(turn, COUNT / 10, COUNT / 10 + COUNT);
        return (double) (used() - before) / COUNT;
    }

    /** Each collection may make more objects collectable, such as those that a collected object's finalizer held. */
    private long used() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
            used = Math.min(used, memory.getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    private void feed(IntFunction<Token[]> turn, int from, int to) {
        for (int i = from; i < to; i++) {
            order.feed(turn.apply(i));
        }
    }

    private double charged() {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals(Metric.STORE_TOKENS.text()))
                .mapToDouble(Metrics.Sample::value)
                .sum();
    }

    @Test
    void aLocalTransactionUsesNoMoreThanIsCountedForIt() {
        double bytes = retained(i -> new Token[] {order.logs[1].local(payload())});
        double charge = charged() / (COUNT * 1.1);
        assertTrue(bytes < charge * 1.1 && bytes > charge / 2, bytes + " bytes used, counted " + charge);
    }

    @Test
    void aDistributedTransactionUsesNoMoreThanIsCountedForIt() {
        double bytes = retained(i -> {
            var one = Tokens.xid("transfer-" + i, "s1");
            var other = Tokens.xid("transfer-" + i, "s2");
            List<Token> tokens = new ArrayList<>();
            tokens.add(order.logs[1].prepare(one, payload()));
            tokens.add(order.logs[2].prepare(other, payload()));
            tokens.add(order.logs[1].commit(one));
            tokens.add(order.logs[2].commit(other));
            return tokens.toArray(Token[]::new);
        });
        double charge = charged() / (COUNT * 1.1);
        assertTrue(bytes < charge * 1.1 && bytes > charge / 2, bytes + " bytes used, counted " + charge);
    }
}
