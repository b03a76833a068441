package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.Alarms;
import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DdlLedger;
import io.tributary.collector.order.Distributed;
import io.tributary.collector.order.Emission;
import io.tributary.collector.order.TsoOrder;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.node.order.TsoCheck;
import io.tributary.node.order.TsoSchedule;
import io.tributary.store.HeldTokens;
import io.tributary.testkit.order.ReplayedOutput;
import io.tributary.testkit.proxy.Direction;
import io.tributary.transmitter.StreamSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * `tso` order over trees of relays of any shape: what comes out is what comes out of a flat merge from the same cut, also when
 * relays are lost and all goes on from a cut. Rounds carry what has come up to the top, so without the relays' word nothing would end.
 * {@code -Dseed=} replays one run.
 */
class TsoRelayTest {
    private static final int RUNS = 25;
    private static final int MOST_ROUNDS = 5_000;

    @Test
    void everyShapeOfRelaysPutsOutWhatAFlatMergeDoes(@TempDir Path folder) {
        Long seed = Long.getLong("seed");
        int losses = 0;
        for (long run = seed == null ? 1 : seed; run <= (seed == null ? RUNS : seed); run++) {
            try {
                losses += run(new SplittableRandom(run), folder);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + run + ": " + e.getMessage(), e);
            }
        }
        assertTrue(seed != null || losses > RUNS / 3, losses + " relays were lost");
    }

    /** Answers how often a relay was lost. */
    private static int run(SplittableRandom random, Path folder) {
        int shards = random.nextInt(2, 9);
        TsoSchedule schedule = new TsoSchedule(
                random,
                shards,
                random.nextInt(40, 300),
                random.nextInt(2, 9),
                random.nextInt(3) == 0,
                TsoSchedule.Flaw.NONE);
        TsoLogs logs = new TsoLogs(schedule, folder);
        List<Integer> all = IntStream.range(0, shards).boxed().toList();
        List<RelayTree> relays = new ArrayList<>();
        Run done = new Run(schedule, logs);
        try (RelayTree top = RelayShapesTest.tree(random, logs, "top", all, 2, relays);
                RelayTree flat = new RelayTree(logs, "flat", all, List.of(), random.split())) {
            int losses = relays.isEmpty() ? 0 : random.nextInt(4);
            for (int attempt = 0; !done.isWhole(); attempt++) {
                assertTrue(
                        attempt <= losses,
                        () -> top + " came to " + done.output.all().size());
                if (attempt < losses) {
                    relays.get(random.nextInt(relays.size()))
                            .proxy()
                            .cutAfter(Direction.TO_CLIENT, random.nextInt(30_000));
                } else {
                    relays.forEach(relay -> relay.proxy().pass());
                }
                Cut from = done.cut;
                int before = done.output.all().size();
                done.take(top, Integer.MAX_VALUE);
                Run again = new Run(schedule, logs);
                again.cut = from;
                again.take(flat, done.output.all().size() - before);
                assertEquals(
                        again.output.all(),
                        done.output.all().subList(before, done.output.all().size()),
                        () -> top + " and a flat merge from the same cut");
            }
        }
        TsoCheck.check(schedule, done.output.all());
        assertEquals(0, logs.store().memoryInUse(), "payload is held");
        logs.store().close();
        return done.losses;
    }

    /** The top of a tree, run from one cut after another. */
    private static final class Run implements Emission {
        private final TsoLogs logs;
        private final ReplayedOutput output;
        private final int transactions;
        private Cut cut;
        private int losses;

        Run(TsoSchedule schedule, TsoLogs logs) {
            this.logs = logs;
            this.output = new ReplayedOutput(schedule.logs());
            this.cut = logs.firstCut();
            this.transactions = (int) schedule.logs().stream()
                    .flatMap(List::stream)
                    .filter(entry -> entry.commits())
                    .map(entry -> entry.transaction())
                    .distinct()
                    .count();
        }

        boolean isWhole() {
            return output.all().size() == transactions;
        }

        /** Goes on from the cut until all has come out, so much has, or a relay is lost; then there is another cut. */
        void take(RelayTree tree, int most) {
            Link<Token> in = new Link<>("merged", 64, Clock.SYSTEM);
            AtomicReference<TributaryException> failed = new AtomicReference<>();
            RoundDemand demand = new RoundDemand();
            long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            int goal = most == Integer.MAX_VALUE ? transactions : output.all().size() + most;
            try (TsoOrder order = new TsoOrder(
                    cut,
                    new DdlLedger(cut.shards().size(), List.of()),
                    this,
                    new Alarms(),
                    shard -> HeldTokens.unbounded())) {
                StreamSource.Running running = tree.run(cut, demand, in, List.of(), failed::set);
                try {
                    int idle = 0;
                    while (output.all().size() < goal && (failed.get() == null || in.peek() != null)) {
                        Token token = in.poll();
                        if (token != null) {
                            idle = 0;
                            order.receive(token);
                            while (order.process()) {}
                        } else if (++idle % 100 == 0) { // nothing moves without a round
                            logs.rounds().add(demand.committedTso());
                            assertTrue(logs.rounds().size() < MOST_ROUNDS, () -> tree + ": rounds do not help");
                        } else {
                            assertTrue(
                                    Clock.SYSTEM.nanoTime() < deadline, () -> tree + ": nothing more within a minute");
                            LockSupport.parkNanos(20_000);
                        }
                    }
                } finally {
                    running.close();
                }
                in.drain(Token::release);
                cut = order.cut(1, cut.number() + 1, output.all().size(), 0);
            }
            if (failed.get() != null && output.all().size() < goal) {
                losses++;
                assertEquals(
                        ErrorCode.STREAM_BROKEN,
                        failed.get().code(),
                        failed.get().getMessage());
            }
        }

        @Override
        public void local(Token token) {
            output.local(token, 0);
        }

        @Override
        public long distributed(Distributed transaction) {
            return output.distributed(
                    transaction.branches().stream().map(Branch::prepare).toList(), 0);
        }

        @Override
        public void ddl(Token token) {
            throw new AssertionError("a schedule has no DDL");
        }

        @Override
        public void committed(Token commit, long number) {}
    }
}
