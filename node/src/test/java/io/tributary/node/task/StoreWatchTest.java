package io.tributary.node.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.Payload;
import io.tributary.store.HeldTokens;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import io.tributary.testkit.ManualClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full store is an error only if nothing can ever free space in it. */
class StoreWatchTest {
    private static final int EVENT = 1000;

    private final List<Payload> held = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private PayloadStore store;
    private PayloadAppender appender;
    private StoreWatch watch;
    private long emitted;
    private long rounds;
    private boolean drained = true;

    @TempDir
    Path directory;

    @BeforeEach
    void begin() {
        StoreConfig config = new StoreConfig(
                new StoreMemory(new ByteSize(64 << 10), new ByteSize(4 << 10)),
                new SpillLimits(new ByteSize(1 << 20), new ByteSize(1 << 20), 90, new ByteSize(200_000)),
                new ByteSize(1 << 20),
                directory,
                StoreMode.AUTO);
        store = new PayloadStore(config, new Metrics());
        appender = store.appender("busy");
        watch = new StoreWatch(store, () -> drained, () -> emitted, () -> rounds, clock);
    }

    @AfterEach
    void end() {
        held.forEach(Payload::release);
        appender.close();
        store.close();
    }

    private void fill() {
        ByteBuffer bytes = ByteBuffer.allocate(EVENT);
        while (appender.hasRoom()) {
            appender.append(bytes, 0, EVENT);
            held.add(appender.finish());
        }
    }

    private void pass(long seconds) {
        clock.pass(Duration.ofSeconds(seconds));
        rounds += seconds * 10;
        watch.doWork();
    }

    @Test
    void endsThePipelineIfOnlyReadingCouldFreeSpace() {
        fill();
        pass(1);
        pass(29);
        TributaryException failure = assertThrows(TributaryException.class, () -> pass(2));
        assertEquals(ErrorCode.STORE_FULL, failure.code());
        assertTrue(failure.getMessage().contains("shard busy is paused"), failure.getMessage());
        assertTrue(failure.getMessage().contains("store.disk.max"), failure.getMessage());
    }

    @Test
    void waitsWhileTheStoreIsNotFull() {
        pass(1);
        pass(100);
        pass(100);
        assertFalse(appender.hasRoom() && store.waiting() > 0);
    }

    @Test
    void waitsWhileTransactionsAreSent() {
        fill();
        drained = false;
        pass(1);
        pass(100);
        drained = true;
        pass(1);
        for (int i = 0; i < 10; i++) {
            emitted++;
            pass(29);
        }
    }

    @Test
    void waitsForAnUnreachableShard() {
        fill();
        pass(1);
        for (int i = 0; i < 10; i++) {
            clock.pass(Duration.ofSeconds(100));
            watch.doWork();
        }
    }

    @Test
    void startsAgainAfterSpaceWasFree() {
        fill();
        pass(1);
        pass(20);
        held.forEach(Payload::release);
        held.clear();
        assertTrue(appender.hasRoom());
        pass(5);
        fill();
        pass(6);
        pass(20);
    }

    @Test
    void endsThePipelineWhenWaitingTokensFillTheHeap() {
        try (HeldTokens tokens = store.heldTokens("busy")) {
            tokens.set(1 << 20);
            assertFalse(appender.hasRoom());
            pass(1);
            TributaryException failure = assertThrows(TributaryException.class, () -> pass(31));
            assertEquals(ErrorCode.STORE_FULL, failure.code());
            assertTrue(failure.getMessage().contains("store.tokens"), failure.getMessage());
        }
    }
}
