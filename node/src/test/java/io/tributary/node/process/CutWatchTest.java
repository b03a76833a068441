package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CutWatchTest {
    private final Link<Chunk> link = new Link<>("chunks", 16, Clock.SYSTEM);
    private final CutWatch watch = new CutWatch(link, Optional.empty());

    private static Cut cut(long number, long transactions) {
        return new Cut(
                1,
                number,
                new Cut.Sources(List.of(), Set.of()),
                new Cut.OutputPoint(transactions, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    private long durable() {
        return watch.durable().map(Cut::number).orElse(0L);
    }

    @Test
    void aCutIsDurableOnceItsTransactionsAre() {
        link.put(new Chunk.CutMark(1, cut(1, 5)));
        link.put(new Chunk.End(2));
        link.put(new Chunk.CutMark(3, cut(2, 9)));
        watch.durableUpTo(9);
        assertEquals(0, durable(), "no chunk has passed yet");
        watch.poll();
        watch.poll();
        watch.poll();
        watch.durableUpTo(4);
        assertEquals(0, durable());
        watch.durableUpTo(8);
        assertEquals(1, durable());
        watch.durableUpTo(9);
        assertEquals(2, durable());
    }

    @Test
    void theSyncerAndTheCounterOfAcknowledgementsMayReportAtOnce() throws Exception {
        int cuts = 200_000;
        Link<Chunk> many = new Link<>("chunks", 1 << 18, Clock.SYSTEM);
        CutWatch watched = new CutWatch(many, Optional.empty());
        for (int i = 1; i <= cuts; i++) {
            many.put(new Chunk.CutMark(i, cut(i, i)));
            watched.poll();
        }
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<Integer> tells = () -> {
            start.await();
            int behind = 0;
            for (int i = 1; i <= cuts; i++) {
                watched.durableUpTo(i);
                behind += watched.durable().orElseThrow().number() < i ? 1 : 0;
            }
            return behind;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Integer> behind : threads.invokeAll(List.of(tells, tells))) {
                assertEquals(0, behind.get(), "times that a reported cut was not durable");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void beginsWithTheRecoveredCut() {
        assertEquals(
                7,
                new CutWatch(link, Optional.of(cut(7, 1)))
                        .durable()
                        .orElseThrow()
                        .number());
    }
}
