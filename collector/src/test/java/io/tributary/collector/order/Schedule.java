package io.tributary.collector.order;

import io.tributary.testkit.order.Draws;
import io.tributary.testkit.order.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One random run of a cluster in real time, as ordering_model.py draws it: strict two-phase locking, two-phase commit,
 * skewed shard clocks, heartbeat rounds whose writer may die. Holds the shards' logs and the history of each row's lock. In some runs
 * the last shard joins in the middle, with or without transactions on it before, and the first one leaves once nobody writes to it.
 */
final class Schedule {
    /** What the writer of rounds gets wrong. */
    enum Flaw {
        NONE,
        /** A new writer does not wait until every shard refuses the old one. */
        NO_TAKEOVER,
        /** A takeover counts as a round. */
        TAKEOVER_IS_A_ROUND,
        /** The frontier of a shard that joins is chosen while branches from before it was expected are undecided. */
        JOINS_UNDECIDED,
        /** The frontier of a shard that joins is chosen before other writers are refused there. */
        JOINS_BEFORE_TAKEOVER
    }

    /** Which shards come and go. */
    enum Change {
        NONE,
        /** The last one joins. */
        JOIN,
        /** The first one leaves. */
        LEAVE,
        BOTH
    }

    private record Event(double time, long number, Action action) {}

    private interface Action {
        void run(double now);
    }

    private record Row(int shard, int row) {}

    private final SplittableRandom random;
    private final Draws draws;
    private final Flaw flaw;
    private final int shards;
    private final double[] clockOffset;
    private final List<List<Entry>> logs = new ArrayList<>();
    private final List<List<Double>> times = new ArrayList<>();
    private final Set<Row> locks = new HashSet<>();
    private final Map<Row, List<Integer>> history = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingDouble(Event::time).thenComparingLong(Event::number));
    private final long[] epochs;
    private final long[] lastRounds;
    private final boolean reusesGtrids;
    private final Change change;
    private final boolean[] getsRounds;
    private final boolean isUsedBefore;
    private final double drainedAt;
    private double expectedAt = -1;
    private int joinResume = -1;
    private int joinFrontier = -1;
    private int usersOfLeaving;
    private long leavesAfter = -1;
    private final List<Integer> gtrids = new ArrayList<>();
    private final Map<Integer, Set<Integer>> freeGtrids = new TreeMap<>();
    private long eventNumber;
    private long newestRound;
    private int ended;

    /** @param reusesGtrids whether gtrids are used again at once, on a shard of their last commit and others */
    Schedule(
            SplittableRandom random,
            int shards,
            int transactions,
            int rows,
            double skew,
            Flaw flaw,
            boolean reusesGtrids) {
        this(random, shards, transactions, rows, skew, flaw, reusesGtrids, Change.NONE);
    }

    /** @param change what comes or goes; takes at least three shards */
    Schedule(
            SplittableRandom random,
            int shards,
            int transactions,
            int rows,
            double skew,
            Flaw flaw,
            boolean reusesGtrids,
            Change change) {
        this.change = change;
        this.reusesGtrids = reusesGtrids;
        this.random = random;
        this.draws = new Draws(random);
        this.flaw = flaw;
        this.shards = shards;
        this.clockOffset = new double[shards];
        this.epochs = new long[shards];
        this.lastRounds = new long[shards];
        this.getsRounds = new boolean[shards];
        for (int shard = 0; shard < shards; shard++) {
            clockOffset[shard] = draws.uniform(-skew, skew);
            logs.add(new ArrayList<>());
            times.add(new ArrayList<>());
            getsRounds[shard] = true;
        }
        this.isUsedBefore = joins() && random.nextDouble() < .7;
        this.drainedAt = leaves() ? draws.uniform(.2 * transactions, .9 * transactions) : Double.MAX_VALUE;
        if (joins()) {
            getsRounds[joining()] = false;
            planJoin(draws.uniform(0, .7 * transactions));
        }
        run(transactions, rows);
    }

    // ---- the shard that joins

    boolean joins() {
        return change == Change.JOIN || change == Change.BOTH;
    }

    int joining() {
        return shards - 1;
    }

    /** What was received before the shard is expected happened before this. */
    double expectedAt() {
        return expectedAt;
    }

    /** Entries in front of which a shard that joins is not read. */
    int joinResume() {
        return joinResume;
    }

    /** Entries of a shard that joins that are no part of the output. */
    int joinFrontier() {
        return joinFrontier;
    }

    private void planJoin(double time) {
        for (int old = random.nextInt(4); old > 0; old--) { // rounds of another cluster, until that is shut out
            at(draws.uniform(0, 2 * time + 5), now -> {
                if (!getsRounds[joining()]) {
                    long round = newestRound + random.nextInt(200);
                    log(now, joining(), 'H', -1, List.of(), round);
                    lastRounds[joining()] = Math.max(lastRounds[joining()], round);
                }
            });
        }
        at(time, now -> {
            joinResume = logs.get(joining()).size();
            awaitDecided(now, undecided(joining()), later -> {
                expectedAt = later;
                at(later + draws.uniform(.01, 3), this::include);
            });
        });
    }

    private void include(double now) {
        int frontier = logs.get(joining()).size();
        at(now + draws.uniform(.01, 3), later -> {
            long epoch = 0;
            for (long each : epochs) {
                epoch = Math.max(epoch, each);
            }
            epochs[joining()] = epoch;
            newestRound = Math.max(newestRound, lastRounds[joining()]);
            getsRounds[joining()] = true;
            Set<Integer> before = flaw == Flaw.JOINS_UNDECIDED ? Set.of() : undecided(joining());
            awaitDecided(
                    later,
                    before,
                    last -> joinFrontier = flaw == Flaw.JOINS_BEFORE_TAKEOVER
                            ? frontier
                            : logs.get(joining()).size());
        });
    }

    private Set<Integer> undecided(int shard) {
        Set<Integer> undecided = new HashSet<>();
        for (Entry entry : logs.get(shard)) {
            if (entry.kind() == 'P') {
                undecided.add(entry.transaction());
            } else if (entry.kind() != 'H') {
                undecided.remove(entry.transaction());
            }
        }
        return undecided;
    }

    private void awaitDecided(double now, Set<Integer> before, Action then) {
        Set<Integer> left = undecided(joining());
        left.retainAll(before);
        if (left.isEmpty()) {
            then.run(now);
        } else {
            at(now + .5, later -> awaitDecided(later, before, then));
        }
    }

    // ---- the shard that leaves

    boolean leaves() {
        return change == Change.LEAVE || change == Change.BOTH;
    }

    int leaving() {
        return 0;
    }

    /** The newest round that had begun when the shard was asked to leave: nobody writes there any more. */
    long leavesAfter() {
        return leavesAfter;
    }

    private void uses(Map<Integer, List<Integer>> plan, int more) {
        usersOfLeaving += plan.containsKey(leaving()) ? more : 0;
    }

    private void askToLeave(double now) {
        if (leaves() && leavesAfter < 0 && now >= drainedAt && usersOfLeaving == 0) {
            leavesAfter = newestRound;
        }
    }

    /** Whether an entry is a part of the output: behind the frontier where its shard joined. */
    boolean counts(Entry entry) {
        return !joins() || entry.shard() != joining() || entry.place() >= joinFrontier;
    }

    /** The entry with which a transaction ends on a shard, or null. */
    Entry end(int transaction, int shard) {
        for (Entry entry : logs.get(shard)) {
            if (entry.transaction() == transaction && (entry.kind() == 'L' || entry.kind() == 'C')) {
                return entry;
            }
        }
        return null;
    }

    /** When an entry was logged, whatever its shard's clock said. */
    double realTime(Entry entry) {
        return times.get(entry.shard()).get(entry.place());
    }

    boolean changes() {
        return change != Change.NONE;
    }

    private boolean hasChanged() {
        return (!joins() || joinFrontier >= 0) && (!leaves() || leavesAfter >= 0);
    }

    /** Each shard's log. */
    List<List<Entry>> logs() {
        return logs;
    }

    /** A transaction's gtrid. */
    int gtrid(int transaction) {
        return gtrids.get(transaction);
    }

    /** For each row the committed transactions in the order in which they held its lock, as far as the output has them. */
    List<List<Integer>> rowHistories() {
        List<List<Integer>> histories = new ArrayList<>();
        history.forEach((row, transactions) -> histories.add(transactions.stream()
                .filter(each -> !joins() || row.shard() != joining() || counts(end(each, row.shard())))
                .toList()));
        return histories;
    }

    private void run(int transactions, int rows) {
        at(0, now -> rounds(now, 1));
        for (int i = 0; i < transactions; i++) {
            int transaction = i;
            gtrids.add(i);
            int width = random.nextDouble() < .5 ? 1 : random.nextInt(2, shards + 1);
            NavigableMap<Integer, List<Integer>> plan = new TreeMap<>();
            for (int shard : draws.sample(shards, width)) {
                plan.put(
                        shard,
                        draws.sample(rows, random.nextInt(1, 3)).stream()
                                .sorted()
                                .toList());
            }
            boolean aborts = random.nextDouble() < .1;
            double begins = draws.uniform(0, transactions);
            if (begins >= drainedAt && plan.remove(leaving()) != null && plan.isEmpty()) {
                plan.put(leaving() + 1, List.of(0));
            }
            uses(plan, 1);
            if (!isUsedBefore && joins()) {
                at(begins, now -> beginLater(now, new Run(transaction, plan, aborts)));
            } else {
                at(begins, now -> new Run(transaction, plan, aborts).begin(now));
            }
        }
        long endRound = 0;
        while (!events.isEmpty()) { // until every transaction ended and three more rounds passed
            Event event = events.remove();
            event.action.run(event.time);
            askToLeave(event.time);
            if (ended == transactions && endRound == 0 && hasChanged()) {
                endRound = newestRound + (change == Change.NONE ? 3 : 9);
            }
            if (endRound != 0 && least(lastRounds) >= endRound) {
                break;
            }
        }
    }

    /** Nobody uses the shard that joins before it has joined. */
    private void beginLater(double now, Run run) {
        if (joinFrontier < 0 && run.plan.containsKey(joining())) {
            at(now + .5, later -> beginLater(later, run));
        } else {
            run.begin(now);
        }
    }

    /** One transaction on its way. */
    private final class Run {
        private final int transaction;
        private final NavigableMap<Integer, List<Integer>> plan;
        private final boolean aborts;
        private final List<Row> order = new ArrayList<>();
        private int toPrepare;
        private int toDecide;
        private Set<Integer> committedOn = Set.of();

        Run(int transaction, NavigableMap<Integer, List<Integer>> plan, boolean aborts) {
            this.transaction = transaction;
            this.plan = plan;
            this.aborts = aborts;
            this.toPrepare = plan.size();
            this.toDecide = plan.size();
            plan.forEach((shard, rows) -> rows.forEach(row -> order.add(new Row(shard, row)))); // ordered: no deadlock
        }

        void begin(double now) {
            if (reusesGtrids && plan.size() > 1) {
                for (Map.Entry<Integer, Set<Integer>> free : freeGtrids.entrySet()) {
                    if (free.getValue().isEmpty() || free.getValue().stream().anyMatch(plan::containsKey)) {
                        gtrids.set(transaction, free.getKey());
                        committedOn = freeGtrids.remove(free.getKey());
                        break;
                    }
                }
            }
            acquire(now, 0);
        }

        void acquire(double now, int next) {
            if (next == order.size()) {
                locked(now);
            } else if (!locks.add(order.get(next))) {
                at(now + 0.5, later -> acquire(later, next));
            } else {
                at(now + draws.uniform(0.01, 1.0), later -> acquire(later, next + 1));
            }
        }

        private void locked(double now) {
            if (plan.size() == 1) {
                ended++;
                uses(plan, -1);
                if (!aborts) {
                    log(
                            now,
                            plan.firstKey(),
                            'L',
                            transaction,
                            plan.firstEntry().getValue(),
                            0);
                }
                release(plan.firstKey());
                return;
            }
            for (int shard : plan.keySet()) {
                at(now + draws.pick(0.01, 0.5, 5, 30) * random.nextDouble(), later -> prepare(later, shard));
            }
        }

        private void prepare(double now, int shard) {
            log(now, shard, 'P', transaction, plan.get(shard), 0);
            usersOfLeaving -= shard == leaving() ? 1 : 0;
            if (--toPrepare == 0) { // every branch is prepared: decide
                for (int branch : plan.keySet()) {
                    at(now + draws.pick(0.01, 0.5, 5, 40) * random.nextDouble(), later -> decide(later, branch));
                }
            }
        }

        private void decide(double now, int shard) {
            log(now, shard, aborts ? 'R' : 'C', transaction, List.of(), 0);
            release(shard);
            if (--toDecide == 0) {
                ended++;
                freeGtrids.put(gtrids.get(transaction), aborts ? committedOn : plan.keySet());
            }
        }

        private void release(int shard) {
            for (int row : plan.get(shard)) {
                Row key = new Row(shard, row);
                locks.remove(key);
                if (!aborts) {
                    history.computeIfAbsent(key, any -> new ArrayList<>()).add(transaction);
                }
            }
        }
    }

    // ---- the writer of rounds

    private void rounds(double now, long epoch) {
        newestRound++;
        if (random.nextDouble() < .03) { // the writer dies; what it sent may still land
            write(now, epoch, newestRound, later -> {});
            at(now + draws.uniform(0, 4), later -> takeOver(later, epoch + 1));
        } else {
            write(now, epoch, newestRound, done -> at(done + draws.uniform(0.5, 5), later -> rounds(later, epoch)));
        }
    }

    private void takeOver(double now, long epoch) {
        switch (flaw) {
            case NO_TAKEOVER -> rounds(now, epoch);
            case TAKEOVER_IS_A_ROUND -> write(now, epoch, ++newestRound, later -> rounds(later, epoch));
            case NONE, JOINS_UNDECIDED, JOINS_BEFORE_TAKEOVER -> write(now, epoch, 0, later -> rounds(later, epoch));
        }
    }

    private void write(double now, long epoch, long round, Action whenAcknowledged) {
        int[] left = {0};
        for (int shard = 0; shard < shards; shard++) {
            int each = shard;
            if (!getsRounds[each]) {
                continue;
            }
            left[0]++;
            at(now + draws.pick(1, 1, 1, 30) * draws.uniform(0.01, 3), later -> {
                if (epochs[each] > epoch) {
                    return; // a deposed writer: refused by the row's WHERE
                }
                epochs[each] = epoch;
                if (round != 0) { // a takeover is no round
                    log(later, each, 'H', -1, List.of(), round);
                    lastRounds[each] = Math.max(lastRounds[each], round);
                }
                if (--left[0] == 0) {
                    whenAcknowledged.run(later);
                }
            });
        }
    }

    // ---- small things

    private void at(double time, Action action) {
        events.add(new Event(time, eventNumber++, action));
    }

    private void log(double now, int shard, char kind, int transaction, List<Integer> rows, long round) {
        List<Entry> log = logs.get(shard);
        double time = now + clockOffset[shard];
        if (!log.isEmpty()) {
            time = Math.max(time, log.get(log.size() - 1).time() + 1e-6);
        }
        times.get(shard).add(now);
        log.add(new Entry(kind, transaction, 0, shard, time, log.size(), rows, round));
    }

    private static long least(long[] numbers) {
        long least = Long.MAX_VALUE;
        for (long number : numbers) {
            least = Math.min(least, number);
        }
        return least;
    }
}
