package io.tributary.bench.collect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The bench of the collector collects all its input. */
class CollectLoopTest {
    @Test
    void collectsEveryTransaction() throws Exception {
        try (CollectLoop loop = new CollectLoop(new Mix(30, 2))) {
            CollectLoop.Cost cost = loop.collect(20_000);
            assertTrue(cost.cpuNanos() > 0, cost + ": every transaction costs something");
        }
    }
}
