package io.tributary.node.order;

import io.tributary.testkit.order.Draws;
import io.tributary.testkit.order.Entry;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.TreeSet;

/**
 * One random run of a cluster in real time whose coordinator gives out TSOs: strict two-phase locking, two-phase commit, locals with
 * and without a TSO, heartbeat rounds. Holds the shards' logs and the history of each row's lock. In some runs the last shard joins in
 * the middle, with or without transactions on it before, and the first one leaves once no new branch comes to it.
 */
public final class TsoSchedule {
    /** What the coordinator, or the writer of rounds, gets wrong. */
    public enum Flaw {
        NONE,
        /** It commits although a smaller TSO is not prepared yet. */
        NO_TURNS,
        /** A round says that a TSO is certain that was only given out. */
        ROUNDS_TOO_FAR,
        /** The frontier of a shard that joins is chosen while branches from before it was expected are undecided. */
        JOINS_UNDECIDED,
        /** A shard is asked to leave while transactions on it are not prepared there. */
        LEAVES_IN_USE
    }

    /** Which shards come and go. */
    public enum Change {
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
    private final boolean tsoAtCommit;
    private final int shards;
    private final List<List<Entry>> logs = new ArrayList<>();
    private final Set<Row> locks = new HashSet<>();
    private final Map<Row, List<Integer>> history = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingDouble(Event::time).thenComparingLong(Event::number));

    /** Given out, and neither prepared everywhere nor given up. */
    private final TreeSet<Long> pending = new TreeSet<>();

    private final List<Long> committed = new ArrayList<>(List.of(0L));
    private final long[] lastRounds;
    private final List<List<Double>> times = new ArrayList<>();
    private final Change change;
    private final boolean[] getsRounds;
    private final boolean isUsedBefore;
    private final double drainedAt;
    private double expectedAt = -1;
    private int joinResume = -1;
    private int joinFrontier = -1;
    private int usersOfLeaving;
    private long leavesAfter = -1;
    private long lastTso;
    private long eventNumber;
    private long newestRound;
    private int ended;

    /** @param tsoAtCommit whether TSOs are given out once all branches are prepared and stand at the commits, as in PolarDB-X */
    public TsoSchedule(
            SplittableRandom random, int shards, int transactions, int rows, boolean tsoAtCommit, Flaw flaw) {
        this(random, shards, transactions, rows, tsoAtCommit, flaw, Change.NONE);
    }

    /** @param change what comes or goes; takes at least three shards */
    TsoSchedule(
            SplittableRandom random,
            int shards,
            int transactions,
            int rows,
            boolean tsoAtCommit,
            Flaw flaw,
            Change change) {
        this.change = change;
        this.random = random;
        this.draws = new Draws(random);
        this.flaw = flaw;
        this.tsoAtCommit = tsoAtCommit;
        this.shards = shards;
        this.lastRounds = new long[shards];
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
            times.add(new ArrayList<>());
        }
        this.getsRounds = new boolean[shards];
        Arrays.fill(getsRounds, true);
        this.isUsedBefore = joins() && random.nextDouble() < .7;
        this.drainedAt = leaves() ? draws.uniform(.2 * transactions, .9 * transactions) : Double.MAX_VALUE;
        if (joins()) {
            getsRounds[joining()] = false;
            planJoin(draws.uniform(0, .7 * transactions));
        }
        run(transactions, rows);
    }

    public List<List<Entry>> logs() {
        return logs;
    }

    /** For each row the committed transactions in the order in which they held its lock, as far as the output has them. */
    List<List<Integer>> rowHistories() {
        List<List<Integer>> histories = new ArrayList<>();
        history.forEach((row, transactions) -> histories.add(transactions.stream()
                .filter(each -> !joins() || row.shard() != joining() || counts(end(each, row.shard())))
                .toList()));
        return histories;
    }

    // ---- the shard that joins

    boolean joins() {
        return change == Change.JOIN || change == Change.BOTH;
    }

    int joining() {
        return shards - 1;
    }

    /** What was received before the shard is expected was logged before this. */
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

    /** When an entry was logged. */
    double time(Entry entry) {
        return times.get(entry.shard()).get(entry.place());
    }

    /** Whether an entry is a part of the output: behind the frontier where its shard joined. */
    boolean counts(Entry entry) {
        return !joins() || entry.shard() != joining() || entry.place() >= joinFrontier;
    }

    /** The entry with which a transaction commits on a shard, or null. */
    Entry end(int transaction, int shard) {
        return logs.get(shard).stream()
                .filter(entry -> entry.transaction() == transaction && entry.commits())
                .findFirst()
                .orElse(null);
    }

    private void planJoin(double time) {
        for (int old = random.nextInt(4);
                old > 0;
                old--) { // rounds of another cluster, with another coordinator's TSOs
            at(draws.uniform(0, 2 * time + 5), now -> {
                if (!getsRounds[joining()]) {
                    log(now, joining(), 'H', -1, lastTso + random.nextInt(1000), List.of());
                }
            });
        }
        at(time, now -> {
            joinResume = logs.get(joining()).size();
            awaitDecided(now, toBeDecided(), later -> {
                expectedAt = later;
                at(later + draws.uniform(.01, 3), this::include);
            });
        });
    }

    private void include(double now) {
        getsRounds[joining()] = true;
        awaitDecided(
                now,
                toBeDecided(),
                last -> at(
                        last + (flaw == Flaw.JOINS_UNDECIDED ? 0 : draws.pick(0, 6, 20) * random.nextDouble()),
                        later -> joinFrontier = logs.get(joining()).size()));
    }

    private Set<Integer> toBeDecided() {
        return flaw == Flaw.JOINS_UNDECIDED ? Set.of() : undecided();
    }

    /** On the shard that joins. */
    private Set<Integer> undecided() {
        Set<Integer> undecided = new HashSet<>();
        for (Entry entry : logs.get(joining())) {
            if (entry.kind() == 'P') {
                undecided.add(entry.transaction());
            } else if (entry.isBranch()) {
                undecided.remove(entry.transaction());
            }
        }
        return undecided;
    }

    private void awaitDecided(double now, Set<Integer> before, Action then) {
        Set<Integer> left = undecided();
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

    /** The newest round that had begun when the shard was asked to leave: no branch is prepared there any more. */
    long leavesAfter() {
        return leavesAfter;
    }

    private void uses(NavigableMap<Integer, List<Integer>> plan, int more) {
        usersOfLeaving += plan.containsKey(leaving()) ? more : 0;
    }

    private void askToLeave(double now) {
        boolean isQuiet = usersOfLeaving == 0 || flaw == Flaw.LEAVES_IN_USE;
        if (leaves() && leavesAfter < 0 && now >= drainedAt && isQuiet) {
            leavesAfter = newestRound;
        }
    }

    private boolean hasChanged() {
        return (!joins() || joinFrontier >= 0) && (!leaves() || leavesAfter >= 0);
    }

    private void run(int transactions, int rows) {
        at(0, this::round);
        for (int i = 0; i < transactions; i++) {
            int transaction = i;
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
            boolean hasTso = width > 1 || !tsoAtCommit && random.nextBoolean();
            double begins = random.nextDouble(transactions);
            if (begins >= drainedAt && plan.remove(leaving()) != null && plan.isEmpty()) {
                plan.put(leaving() + 1, List.of(0));
            }
            uses(plan, 1);
            at(begins, now -> begin(now, new Run(transaction, plan, aborts, hasTso)));
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

    /** In some runs nobody uses the shard that joins before it has joined. */
    private void begin(double now, Run run) {
        if (joins() && !isUsedBefore && joinFrontier < 0 && run.plan.containsKey(joining())) {
            at(now + .5, later -> begin(later, run));
        } else {
            run.begin(now);
        }
    }

    /** One transaction on its way. */
    private final class Run {
        private final int transaction;
        private final NavigableMap<Integer, List<Integer>> plan;
        private final boolean aborts;
        private final boolean hasTso;
        private final List<Row> order = new ArrayList<>();
        private long tso;
        private int toPrepare;
        private int toDecide;

        Run(int transaction, NavigableMap<Integer, List<Integer>> plan, boolean aborts, boolean hasTso) {
            this.transaction = transaction;
            this.plan = plan;
            this.aborts = aborts;
            this.hasTso = hasTso;
            this.toPrepare = plan.size();
            this.toDecide = plan.size();
            plan.forEach((shard, rows) -> rows.forEach(row -> order.add(new Row(shard, row))));
        }

        void begin(double now) { // in order: no deadlock
            if (order.isEmpty()) {
                locked(now);
            } else if (!locks.add(order.get(0))) {
                at(now + .5, this::begin);
            } else {
                order.remove(0);
                at(now + random.nextDouble(.01, 1), this::begin);
            }
        }

        private void locked(double now) {
            if (hasTso && !tsoAtCommit) {
                takeTso();
            }
            if (plan.size() == 1) {
                at(now + random.nextDouble(.01, 3), this::commitLocal);
                return;
            }
            for (int shard : plan.keySet()) {
                at(now + draws.pick(.01, .5, 5, 30) * random.nextDouble(), later -> prepare(later, shard));
            }
        }

        private void takeTso() {
            lastTso += random.nextInt(1, 4);
            tso = lastTso;
            pending.add(tso);
        }

        private boolean isItsTurn() {
            return tso == 0 || flaw == Flaw.NO_TURNS || pending.headSet(tso).isEmpty();
        }

        private void commitLocal(double now) {
            int shard = plan.firstKey();
            if (!aborts && !isItsTurn()) {
                at(now + .3, this::commitLocal);
                return;
            }
            pending.remove(tso);
            uses(plan, -1);
            if (!aborts) {
                log(now, shard, 'L', transaction, tso, plan.get(shard));
                committed.add(Math.max(tso, committed.get(committed.size() - 1)));
            }
            release(shard);
            ended++;
        }

        private void prepare(double now, int shard) {
            log(now, shard, 'P', transaction, tso, plan.get(shard));
            usersOfLeaving -= shard == leaving() ? 1 : 0;
            if (--toPrepare == 0) { // every branch is prepared: decide
                pending.remove(tso);
                if (tsoAtCommit) {
                    lastTso += random.nextInt(1, 4);
                    tso = lastTso;
                }
                decideAll(now);
            }
        }

        private void decideAll(double now) {
            if (!aborts && !isItsTurn()) {
                at(now + .3, this::decideAll);
                return;
            }
            for (int shard : plan.keySet()) {
                at(now + draws.pick(.01, .5, 5, 40) * random.nextDouble(), later -> decide(later, shard));
            }
        }

        private void decide(double now, int shard) {
            log(now, shard, aborts ? 'R' : 'C', transaction, tsoAtCommit && !aborts ? tso : 0, List.of());
            if (!aborts) {
                committed.add(Math.max(tso, committed.get(committed.size() - 1)));
            }
            release(shard);
            if (--toDecide == 0) {
                ended++;
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

    /** What the writer of rounds has read of commits may be old, and what a writer that died sent may land late: both are true. */
    private void round(double now) {
        long number = ++newestRound;
        int read = random.nextBoolean() ? committed.size() - 1 : random.nextInt(committed.size());
        boolean isLast = read == committed.size() - 1;
        long tso = flaw == Flaw.ROUNDS_TOO_FAR && isLast ? lastTso : committed.get(read);
        int[] left = {0};
        for (int shard = 0; shard < shards; shard++) {
            int each = shard;
            if (!getsRounds[each]) {
                continue;
            }
            left[0]++;
            at(now + draws.pick(1, 1, 1, 30) * random.nextDouble(.01, 3), later -> {
                lastRounds[each] = number;
                log(later, each, 'H', -1, tso, List.of());
                if (--left[0] == 0) {
                    at(later + random.nextDouble(.5, 5), this::round);
                }
            });
        }
    }

    /** Two more rounds with which all that committed is certain, and in front of the merger's last window. */
    void endWithRounds() {
        for (int i = 0; i < 2 * shards; i++) {
            lastRounds[i % shards] = newestRound + 1 + i / shards;
            log(Double.MAX_VALUE, i % shards, 'H', -1, committed.get(committed.size() - 1), List.of());
        }
    }

    private void at(double time, Action action) {
        events.add(new Event(time, eventNumber++, action));
    }

    private void log(double now, int shard, char kind, int transaction, long tso, List<Integer> rows) {
        List<Entry> log = logs.get(shard);
        times.get(shard).add(now);
        log.add(new Entry(kind, transaction, tso, shard, log.size(), log.size(), rows, lastRounds[shard]));
    }

    private static long least(long[] numbers) {
        long least = Long.MAX_VALUE;
        for (long number : numbers) {
            least = Math.min(least, number);
        }
        return least;
    }
}
