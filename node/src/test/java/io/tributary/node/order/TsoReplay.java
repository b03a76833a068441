package io.tributary.node.order;

import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.tso.TsoOrder;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.merger.MergeLinks;
import io.tributary.merger.MergeTree;
import io.tributary.store.HeldTokens;
import io.tributary.testkit.order.ChangingShards;
import io.tributary.testkit.order.CountedPayload;
import io.tributary.testkit.order.Entry;
import io.tributary.testkit.order.ReplayedOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A replay of a schedule's logs through the real sort of each shard, the real merger and the real order, in random steps. After a random crash
 * all of them resume from a cut. A shard may join and another one may leave meanwhile.
 */
final class TsoReplay {
    /** An error in the parts around them. */
    enum Flaw {
        NONE,
        /** Tokens are sent in the log's order, without the sort. */
        UNSORTED,
        /** A cut does not contain that entries before the newest position are still missing. */
        NO_GAPS,
        /** A shard that joins is not expected before its frontier is chosen. */
        NOT_EXPECTED,
        /** A shard that joins is read from its frontier. */
        NOT_READ_BEFORE,
        /** Rounds do not report that branches before them are undecided. */
        ROUNDS_WITHOUT_UNDECIDED
    }

    private final TsoSchedule schedule;
    private final ChangingShards changing;
    private final SplittableRandom random;
    private final Flaw flaw;
    private final boolean merges;
    private final ReplayedOutput output;
    private final CountedPayload.Counter payloads = new CountedPayload.Counter();
    private final ProtocolViolations alarms = new ProtocolViolations();
    private final List<List<GtidSet>> beforeRounds = new ArrayList<>();
    private boolean isExpected;
    private boolean hasLeft;
    private int restarts;
    private int mostHeld;

    /** @param merges whether a merger is used, or the order receives the shards' tokens directly */
    TsoReplay(TsoSchedule schedule, SplittableRandom random, boolean merges, Flaw flaw) {
        this.schedule = schedule;
        this.changing = schedule.changing();
        this.random = random;
        this.merges = merges;
        this.flaw = flaw;
        this.output = new ReplayedOutput(schedule.logs());
        schedule.logs().forEach(log -> beforeRounds.add(beforeRounds(log)));
    }

    List<ReplayedOutput.Transaction> output() {
        return output.all();
    }

    int restarts() {
        return restarts;
    }

    int mostHeld() {
        return mostHeld;
    }

    ProtocolViolations alarms() {
        return alarms;
    }

    /** Whether a shard was asked to leave, and has left before the logs ended. */
    boolean hasLeft() {
        return hasLeft;
    }

    /** The GTIDs before each round, by position in the log; null for other entries. */
    private List<GtidSet> beforeRounds(List<Entry> log) {
        List<GtidSet> before = new ArrayList<>();
        GtidSet.Builder executed = GtidSet.EMPTY.toBuilder();
        for (Entry entry : log) {
            before.add(entry.kind() == 'H' ? executed.build() : null);
            boolean isHidden = flaw == Flaw.ROUNDS_WITHOUT_UNDECIDED && entry.isBranch();
            if (!isHidden) {
                executed.add(Entry.sid(entry.shard()), entry.place() + 1);
            }
        }
        return before;
    }

    /** All stages from extract to collect, from one cut until they are closed. */
    private final class Stages implements AutoCloseable {
        private final List<Shard> shards = new ArrayList<>();
        private final Link<Token> merged = new Link<>("merged", random.nextInt(1, 40), Clock.SYSTEM);
        private final MergeTree merger;
        private final TsoOrder order;
        private final long tso;
        private boolean isJoining;
        private int expected = -1;
        private boolean isAskedToLeave;

        Stages(Cut cut) {
            tso = cut.tso();
            List<Link<Token>> links = new ArrayList<>();
            List<String> names = cut.shards().stream().map(ShardCut::name).toList();
            isJoining = changing.joins() && !names.contains(Entry.shardName(changing.joining()));
            double limit =
                    isJoining && !isExpected && flaw != Flaw.NOT_EXPECTED ? changing.expectedAt() : Double.MAX_VALUE;
            for (ShardCut from : cut.shards()) {
                Shard shard = new Shard(Integer.parseInt(from.name().substring(1)), shards.size(), from, tso, limit);
                links.add(shard.link);
                shards.add(shard);
            }
            merger = MergeTree.of(
                    links, merged, new MergeLinks(1000, 1, Clock.SYSTEM), new RoundRequest(), new Metrics());
            order = new TsoOrder(
                    cut,
                    SchemaOrder.of(cut, 0, Long.MAX_VALUE),
                    new ReplayEmission(output),
                    alarms,
                    shard -> HeldTokens.unbounded());
            if (!isJoining) {
                shards.forEach(Shard::mayEnd);
            }
            if (isJoining && isExpected && flaw != Flaw.NOT_EXPECTED) {
                expect(); // nothing was emitted since that depends on it
            }
        }

        private void expect() {
            expected = order.membership().expect();
            isExpected = true;
            shards.forEach(Shard::readsAll);
        }

        boolean hasJoined() {
            return expected >= 0 && order.membership().isJoined(expected);
        }

        /** An operator's command: a shard joins or leaves. */
        private void change() {
            if (isJoining && expected < 0 && flaw != Flaw.NOT_EXPECTED) {
                expect();
            } else if (isJoining) {
                join();
            }
            if (changing.leaves() && !isAskedToLeave && random.nextBoolean()) {
                isAskedToLeave = true;
                shards.stream()
                        .filter(shard -> shard.shard == changing.leaving())
                        .forEach(shard -> order.membership().requestLeave(shard.index, changing.leavesAfter()));
            }
        }

        private void join() {
            if (expected < 0) {
                expect();
            }
            isJoining = false;
            shards.forEach(Shard::mayEnd);
            GtidSet frontier = ReplayedOutput.first(changing.joining(), changing.joinFrontier());
            GtidSet resume = flaw == Flaw.NOT_READ_BEFORE
                    ? frontier
                    : ReplayedOutput.first(changing.joining(), changing.joinResume());
            ShardCut from = ReplayedOutput.cut(changing.joining(), resume, frontier);
            order.membership().join(expected, from);
            Shard shard = new Shard(changing.joining(), expected, from, tso, Double.MAX_VALUE);
            shard.mayEnd();
            shards.add(shard);
            if (merges) {
                var unused = merger.add(shard.link);
            }
        }

        /** One step of a random stage; false if nothing was done. */
        boolean step() {
            int which = random.nextInt(shards.size() + 2);
            if (which < shards.size()) {
                return shards.get(which).read(random.nextInt(1, 20));
            }
            if (random.nextInt(30) == 0) {
                change();
            }
            return which == shards.size() ? merge() : collect(random.nextInt(1, 50));
        }

        boolean stepAll() {
            change();
            boolean done = isJoining || changing.leaves() && !isAskedToLeave;
            for (Shard shard : shards) {
                done |= shard.read(1000);
            }
            done |= merge();
            done |= collect(1000);
            return done || shards.stream().anyMatch(shard -> !merges && shard.link.peek() != null);
        }

        private boolean merge() {
            if (merges) {
                return merger.root().doWork() > 0;
            }
            boolean done = false;
            for (int i = 0; i < shards.size(); i++) {
                Link<Token> link = shards.get(random.nextInt(shards.size())).link;
                for (int j = random.nextInt(5); j > 0 && merged.hasRoom() && link.peek() != null; j--) {
                    merged.put(link.poll());
                    done = true;
                }
            }
            return done;
        }

        private boolean collect(int steps) {
            boolean done = false;
            for (int i = 0; i < steps; i++) {
                boolean moved = random.nextInt(4) > 0 && order.process();
                if (!moved) {
                    Token token = merged.poll();
                    moved = token != null;
                    if (moved) {
                        order.receive(token);
                    }
                }
                done |= moved;
            }
            while (order.process()) {
                done = true;
            }
            return done;
        }

        @Override
        public void close() {
            shards.forEach(shard -> shard.sort.close());
            merger.root().close();
            shards.forEach(shard -> shard.drop());
            merged.drain(Token::release);
            order.close();
        }
    }

    /** The reader of one shard's log from a cut on; entries in the cut are not sent again. */
    private final class Shard {
        private final int shard;
        private final int index;
        private final ArrayDeque<Entry> left = new ArrayDeque<>();
        private final Link<Token> link;
        private final TsoSort sort;
        private double readsBefore;
        private boolean mayEnd;

        Shard(int shard, int index, ShardCut from, long tso, double readsBefore) {
            this.shard = shard;
            this.index = index;
            this.link = new Link<>(from.name(), random.nextInt(1, 40), Clock.SYSTEM);
            this.sort = new TsoSort(from, tso, any -> {});
            this.readsBefore = readsBefore;
            for (Entry entry : schedule.logs().get(shard)) {
                if (!from.resume().contains(Entry.sid(shard), entry.place() + 1)) {
                    left.add(entry);
                }
            }
        }

        /**
         * Allows reading to the end. Before, one entry is kept, because a merger that gets another source needs the next keys of the others again.
         */
        void mayEnd() {
            mayEnd = true;
        }

        void readsAll() {
            readsBefore = Double.MAX_VALUE;
        }

        private boolean hasMore() {
            boolean hasMore = left.size() > 1 || mayEnd && !left.isEmpty();
            return hasMore && (readsBefore == Double.MAX_VALUE || schedule.realTime(left.peek()) < readsBefore);
        }

        void drop() {
            link.drain(Token::release);
        }

        boolean read(int most) {
            boolean done = send();
            while (most-- > 0 && !sort.hasLeaving() && link.hasRoom() && hasMore()) {
                Entry entry = left.remove();
                if (flaw == Flaw.UNSORTED) {
                    long tso = tsoOf(entry);
                    link.put(token(entry, index).withTso(entry.kind() == 'H' ? -tso : tso));
                } else {
                    sort.put(token(entry, index), entry.kind() == 'H' ? entry.tso() : 0, 0);
                }
                mostHeld = Math.max(mostHeld, sort.held());
                send();
                done = true;
            }
            return done;
        }

        private long tsoOf(Entry entry) {
            return entry.kind() != 'C'
                    ? entry.tso()
                    : schedule.logs().get(entry.shard()).stream()
                            .filter(other -> other.transaction() == entry.transaction())
                            .mapToLong(Entry::tso)
                            .max()
                            .orElseThrow();
        }

        private boolean send() {
            boolean done = false;
            while (sort.hasLeaving() && link.hasRoom()) {
                link.put(sort.poll());
                done = true;
            }
            return done;
        }
    }

    /** Runs to the end of all logs; returns the number of payloads that were not released. */
    int run() {
        Cut cut = ReplayedOutput.firstCut(schedule.logs().size() - (changing.joins() ? 1 : 0));
        Stages stages = new Stages(cut);
        int idle = 0;
        boolean crashesAtJoin = random.nextInt(4) > 0;
        while (idle < 200) {
            idle = stages.step() ? 0 : idle + 1;
            boolean hasJoined = crashesAtJoin && stages.hasJoined();
            crashesAtJoin &= !hasJoined;
            if (hasJoined || random.nextInt(400) == 0) { // crash here, and resume from a cut
                cut = cutOf(stages, cut.number() + 1);
                stages.close();
                restarts++;
                stages = new Stages(cut);
            }
        }
        while (stages.stepAll()) {}
        hasLeft = changing.leaves()
                && stages.order.cut(1, 1, 0, 0).shards().stream()
                        .noneMatch(each -> each.name().equals(Entry.shardName(changing.leaving())));
        stages.close();
        return payloads.held();
    }

    private Cut cutOf(Stages stages, long number) {
        Cut cut = stages.order.cut(1, number, output.all().size(), 0);
        if (flaw != Flaw.NO_GAPS) {
            return cut;
        }
        List<ShardCut> shards = new ArrayList<>();
        for (ShardCut each : cut.shards()) {
            int shard = shards.size();
            GtidSet all = ReplayedOutput.first(
                    shard, (int) Math.max(0, each.frontier().last(Entry.sid(shard))));
            shards.add(ReplayedOutput.cut(shard, all, all));
        }
        return new Cut(
                1,
                number,
                new Cut.Sources(shards, Set.of()),
                new Cut.OutputPoint(cut.transactions(), 0, cut.tso()),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    private Token token(Entry entry, int index) {
        boolean isRound = entry.kind() == 'H';
        GtidSet before = isRound ? beforeRounds.get(entry.shard()).get(entry.place()) : GtidSet.EMPTY;
        return new Token(
                index,
                Token.key(isRound ? entry.round() : entry.round() + 1, entry.place()),
                isRound ? 0 : entry.tso(),
                new LoggedTransaction(
                        Entry.sid(entry.shard()),
                        entry.place() + 1,
                        "binlog.000001",
                        entry.place() + 1,
                        0,
                        0,
                        entry.place() + 1),
                entry.body(
                        entry.xid(entry.transaction()),
                        entry.hasRows() ? payloads.take() : null,
                        new ResumePosition(before, "binlog.000001", entry.place())));
    }
}
