package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.tso.TsoOrder;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.Token;
import io.tributary.node.order.ReplayEmission;
import io.tributary.node.order.TsoCheck;
import io.tributary.node.order.TsoSchedule;
import io.tributary.store.HeldTokens;
import io.tributary.testkit.order.ChangingShards;
import io.tributary.testkit.order.ChangingShards.Change;
import io.tributary.testkit.order.ReplayedOutput;
import io.tributary.testkit.order.ReplayedOutput.Transaction;
import io.tributary.testkit.proxy.Direction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Order by TSO over trees of relays of any shape. The output equals that of a flat merge from the same cut, also when relays are lost and all nodes
 * resume from a cut, and when a shard leaves. A joining shard is read at the top until all nodes resume from a cut; then the output fulfils the
 * guarantees of docs/ordering.md. Rounds contain the TSOs that have reached the top, so no run would end without the relays' requests for rounds.
 * {@code -Dseed=} replays one run.
 */
class TsoRelayTest {
    private static final int RUNS = 40;
    /** The moment at which a relay is lost depends on the scheduler: if too few losses are at a useful moment, more runs follow. */
    private static final int MOST_RUNS = 5 * RUNS;

    private static final int MOST_ROUNDS = 2_000;
    private static final Change[] CHANGES = {Change.NONE, Change.LEAVE, Change.JOIN, Change.BOTH};

    @Test
    void everyShapeOfRelaysHasTheOutputOfAFlatMerge(@TempDir Path folder) {
        Long seed = Long.getLong("seed");
        Seen seen = new Seen();
        long first = seed == null ? 1 : seed;
        long last = seed == null ? RUNS : seed;
        for (long run = first; run <= last || seed == null && run <= MOST_RUNS && !seen.isEnough(); run++) {
            try {
                new Shape(new SplittableRandom(run), folder, CHANGES[(int) (run % CHANGES.length)], seen).check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + run + ": " + e.getMessage(), e);
            }
        }
        assertTrue(seed != null || seen.isEnough(), seen.toString());
    }

    /** Counts how often the tested events have happened. */
    private static final class Seen {
        private int losses;
        private int leaves;
        private int joins;
        private int afterJoins;

        boolean isEnough() {
            return losses > RUNS / 3 && leaves > RUNS / 4 && joins > RUNS / 4 && afterJoins > RUNS / 8;
        }

        @Override
        public String toString() {
            return losses + " relays were lost, " + leaves + " shards left, " + joins + " joined, " + afterJoins
                    + " runs resumed from a cut with a joined shard";
        }
    }

    /** One tree, compared with a flat merge. */
    private static final class Shape {
        private final SplittableRandom random;
        private final TsoSchedule schedule;
        private final TsoLogs logs;
        private final List<Integer> all;
        private final Seen seen;
        private final Run done;

        /** Output of a flat merge, by the number of transactions before it. */
        private final Map<Integer, List<Transaction>> flatOutputs = new TreeMap<>();

        Shape(SplittableRandom random, Path folder, Change change, Seen seen) {
            this.random = random;
            int shards = random.nextInt(3, 9);
            this.schedule = new TsoSchedule(
                    random,
                    shards,
                    random.nextInt(40, 300),
                    random.nextInt(2, 9),
                    random.nextInt(3) == 0,
                    TsoSchedule.Flaw.NONE,
                    change);
            this.logs = new TsoLogs(schedule, folder);
            this.all = IntStream.range(0, shards).boxed().toList();
            this.seen = seen;
            this.done = new Run(schedule, logs, logs.firstCut());
        }

        void check() {
            List<RelayTree> relays = new ArrayList<>();
            try (RelayTree top = RelayShapesTest.tree(random, logs, "top", all, 2, relays);
                    RelayTree flat = new RelayTree(logs, "flat", all, List.of(), random.split())) {
                int losses = relays.isEmpty() ? 0 : random.nextInt(4);
                for (int attempt = 0; !done.isWhole(); attempt++) {
                    int number = attempt;
                    assertTrue(
                            number <= losses, () -> top + " has emitted " + done.size() + " of " + done.transactions);
                    if (attempt < losses) {
                        relays.get(random.nextInt(relays.size()))
                                .proxy()
                                .cutAfter(Direction.TO_CLIENT, random.nextInt(30_000));
                    } else {
                        relays.forEach(relay -> relay.proxy().pass());
                    }
                    attempt(top, flat);
                }
                flatOutputs.forEach((from, output) -> assertEquals(
                        output,
                        done.output.all().subList(from, from + output.size()),
                        () -> top + " and a flat merge"));
            }
            TsoCheck.check(schedule, done.output.all());
            assertEquals(0, logs.store().memoryInUse(), "payload is still in memory");
            logs.store().close();
            seen.leaves += schedule.changing().leaves()
                            && !done.has(schedule.changing().leaving())
                    ? 1
                    : 0;
        }

        private void attempt(RelayTree top, RelayTree flat) {
            Cut from = done.cut;
            int before = done.size();
            boolean joins = done.isToJoin();
            seen.afterJoins += schedule.changing().joins() && !joins ? 1 : 0;
            seen.losses += done.emit(top, Integer.MAX_VALUE) ? 1 : 0;
            if (joins) { // the place of a transaction of the new shard without a TSO depends on when it joins
                seen.joins += done.isToJoin() ? 0 : 1;
                return;
            }
            Run again = new Run(schedule, logs, from);
            again.emit(flat, done.size() - before);
            flatOutputs.put(before, again.output.all());
        }
    }

    /** The top of a tree, run from one cut after another. */
    private static final class Run {
        private final TsoSchedule schedule;
        private final ChangingShards changing;
        private final TsoLogs logs;
        private final ReplayedOutput output;
        private final int transactions;
        private Cut cut;

        Run(TsoSchedule schedule, TsoLogs logs, Cut cut) {
            this.schedule = schedule;
            this.changing = schedule.changing();
            this.logs = logs;
            this.output = new ReplayedOutput(schedule.logs());
            this.cut = cut;
            this.transactions = (int) schedule.logs().stream()
                    .flatMap(List::stream)
                    .filter(entry -> entry.commits() && changing.counts(entry))
                    .map(entry -> entry.transaction())
                    .distinct()
                    .count();
        }

        int size() {
            return output.all().size();
        }

        /** Whether all was emitted, and the shards that had to leave or join have done so. */
        boolean isWhole() {
            return size() == transactions && !isToJoin() && !isToLeave();
        }

        boolean isToJoin() {
            return changing.joins() && !has(changing.joining());
        }

        private boolean isToLeave() {
            return changing.leaves() && has(changing.leaving());
        }

        /** Whether the cut has a shard. */
        boolean has(int shard) {
            return place(shard) >= 0;
        }

        private int place(int shard) {
            List<String> names = cut.shards().stream().map(ShardCut::name).toList();
            return names.indexOf(RelayTree.Source.shardName(shard));
        }

        /**
         * Resumes from the cut until all or that many transactions are emitted, or a relay is lost; then there is another cut. Returns whether a relay
         * was lost.
         */
        boolean emit(RelayTree tree, int most) {
            int goal = most == Integer.MAX_VALUE ? most : size() + most;
            Link<Token> in = new Link<>("merged", 64, Clock.SYSTEM);
            AtomicReference<TributaryException> failed = new AtomicReference<>();
            try (TsoOrder order = new TsoOrder(
                            cut,
                            SchemaOrder.of(cut, 0, Long.MAX_VALUE),
                            new ReplayEmission(output),
                            new ProtocolViolations(),
                            shard -> HeldTokens.unbounded());
                    Attempt attempt = new Attempt(tree, order, in, failed)) {
                while (size() < goal && !attempt.isWhole() && (failed.get() == null || in.peek() != null)) {
                    attempt.step();
                }
            }
            if (failed.get() == null || isWhole() || size() >= goal) {
                return false;
            }
            assertEquals(
                    ErrorCode.STREAM_BROKEN, failed.get().code(), failed.get().getMessage());
            return true;
        }

        /** Everything from the shards to the order, from one cut until it is closed. */
        private final class Attempt implements AutoCloseable {
            private final RelayTree tree;
            private final TsoOrder order;
            private final Link<Token> in;
            private final Cut from = cut;
            private final RoundRequest demand = new RoundRequest();
            private final RelayTree.Run running;
            private final long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            private int idle;

            Attempt(RelayTree tree, TsoOrder order, Link<Token> in, AtomicReference<TributaryException> failed) {
                this.tree = tree;
                this.order = order;
                this.in = in;
                if (isToLeave()) {
                    order.membership().requestLeave(place(changing.leaving()), changing.leavesAfter());
                }
                this.running = tree.run(cut, demand, in, List.of(), failed::set);
                if (isToJoin() && logs.isExpected()) { // no later output depends on it
                    join();
                }
            }

            boolean isWhole() {
                if (size() == transactions) {
                    cut();
                }
                return Run.this.isWhole();
            }

            private void cut() {
                cut = order.cut(1, from.number() + 1, size(), 0);
            }

            void step() {
                Token token = in.poll();
                if (token != null) {
                    idle = 0;
                    order.receive(token);
                    while (order.process()) {}
                } else if (++idle % 100 == 0) { // nothing happens without a round
                    writeRound();
                    if (isToJoin() && !logs.isExpected()) {
                        join();
                    }
                } else {
                    assertTrue(Clock.SYSTEM.nanoTime() < deadline, () -> tree + ": no output within a minute");
                    LockSupport.parkNanos(20_000);
                }
            }

            /** A rollback at the end needs a larger TSO to be certain: commits one more transaction. */
            private void writeRound() {
                long newest = size() == transactions ? schedule.newestTso() + 1 : demand.committedTso();
                logs.rounds().add(newest);
                assertTrue(
                        logs.rounds().size() < MOST_ROUNDS,
                        () -> tree + ": rounds have no effect after " + size() + " of " + transactions + ": "
                                + order.snapshot(5, 0) + ", hindrances "
                                + order.membership().hindrances(0) + ", " + cut);
            }

            private void join() {
                int index = order.membership().expect();
                logs.expect();
                order.membership().join(index, logs.joining());
                writeRound();
                List<ShardCut> shards = new ArrayList<>(from.shards());
                shards.add(logs.joining());
                running.join(new Cut(
                        1,
                        1,
                        new Cut.Sources(shards, Set.of()),
                        new Cut.OutputPoint(0, 0, from.tso()),
                        new Cut.SchemaPoint(SchemaState.NONE, 0)));
            }

            @Override
            public void close() {
                cut();
                running.close();
                in.drain(Token::release);
            }
        }
    }
}
