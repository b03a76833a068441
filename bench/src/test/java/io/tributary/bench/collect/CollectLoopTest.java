package io.tributary.bench.collect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.BinlogParallel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bench of the collector collects all its input. */
class CollectLoopTest {
    @ParameterizedTest
    @EnumSource
    void collectsEveryTransaction(BinlogParallel parallel) throws Exception {
        try (CollectLoop loop = new CollectLoop(new Mix(30, 2, parallel))) {
            CollectLoop.Cost cost = loop.collect(20_000);
            assertTrue(cost.cpuNanos() > 0, cost + ": every transaction costs something");
        }
    }
}
