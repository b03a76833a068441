package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.Tokens;
import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.Payload;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A branch stays undecided while another shard continues: small transactions fill the heap long before their payload fills the disk. */
class HeldBackTest {
    private static final int MOST = 1 << 20;
    private static final int LOG = 20_000;

    private final ByteBuffer event = ByteBuffer.allocate(100);
    private final Metrics metrics = new Metrics();
    private final PayloadAppender[] readers = new PayloadAppender[3];
    private PayloadStore store;
    private OrderHarness order;

    @BeforeEach
    void begin(@TempDir Path directory) {
        ByteSize large = new ByteSize(1 << 28);
        ByteSize tokens = new ByteSize(MOST);
        store = new PayloadStore(
                new StoreConfig(
                        new StoreMemory(large, new ByteSize(1 << 16)),
                        new SpillLimits(large, large, 90, large),
                        tokens,
                        directory,
                        StoreMode.MEMORY),
                metrics);
        order = new OrderHarness(store::heldTokens);
        for (int shard = 0; shard < 3; shard++) {
            readers[shard] = store.appender("s" + shard);
        }
        order.feed(order.prepare(0, OrderHarness.X0), order.prepare(1, OrderHarness.X1));
        order.feed(order.logs[1].commit(OrderHarness.X1));
        order.round(1);
        order.round(2);
    }

    @AfterEach
    void end() {
        order.order.close();
        for (PayloadAppender reader : readers) {
            reader.close();
        }
        assertEquals(0, store.memoryInUse());
        store.close();
    }

    private Payload payload() {
        readers[1].append(event, 0, event.capacity());
        return readers[1].finish();
    }

    /** Reads shard 1 as long as it may be read; returns how far. */
    private int read(int from) {
        int at = from;
        for (; at < LOG && readers[1].hasRoom(); at++) {
            order.feed(order.logs[1].local(payload()));
        }
        return at;
    }

    @Test
    void smallTransactionsGoToTheStoreAndNothingIsLostWhenTheBranchIsDecided() {
        assertEquals(LOG, read(0), "it is read however long the branch is undecided");
        order.feed(order.logs[1].round(3));
        assertTrue(heap() < MOST / 2, heap() + " bytes of tokens");
        assertTrue(store.memoryInUse() > LOG * (event.capacity() + 64L), "payload and tokens are in the store");

        order.feed(order.logs[0].commit(OrderHarness.X0), order.logs[0].round(3), order.logs[2].round(3));
        order.round(4);
        assertEquals(LOG, Collections.frequency(order.output, "L1"));
        assertEquals(LOG + 1, order.output.size());
        assertEquals(0, heap());
    }

    @Test
    void roundsOfAnIdleShardGoToTheStoreToo() {
        int most = 100_000;
        for (int round = 3; round < most; round++) {
            order.feed(order.logs[1].round(round));
            assertTrue(heap() < MOST / 2, heap() + " bytes of tokens");
        }
        order.feed(order.logs[0].commit(OrderHarness.X0), order.logs[0].round(most), order.logs[2].round(most));
        order.round(most + 1);
        assertEquals(List.of("0:1+1:1"), order.output);
    }

    private double heap() {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals(Metric.STORE_TOKENS.text()))
                .mapToDouble(Metrics.Sample::value)
                .sum();
    }

    /** Branches stay on the heap, so they are limited by pausing the reads. */
    @Test
    void readingPausesWhenBranchesFillTheHeapAndContinuesWhenTheyAreDecided() {
        int branches = 0;
        for (; branches < LOG && readers[1].hasRoom(); branches++) {
            order.feed(order.logs[1].prepare(Tokens.xid("y" + branches, "1"), payload()));
        }
        assertTrue(branches < MOST / ShardState.BRANCH_BYTES, branches + " branches");
        assertEquals(1, store.waiting());
        assertTrue(store.state().contains("store.tokens"), store.state());
        assertTrue(readers[0].hasRoom() && readers[2].hasRoom(), "those that hold little are still read");
        for (int i = 0; i < branches; i++) {
            order.feed(order.logs[1].rollback(Tokens.xid("y" + i, "1")));
        }
        assertTrue(readers[1].hasRoom());
        assertEquals(0, store.waiting());
    }
}
