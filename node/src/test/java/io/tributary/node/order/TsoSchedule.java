package io.tributary.node.order;

import io.tributary.testkit.order.Draws;
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
import java.util.TreeSet;

/**
 * One random run of a cluster in real time whose coordinator gives out TSOs: strict two-phase locking, two-phase commit, locals with
 * and without a TSO, heartbeat rounds. Holds the shards' logs and the history of each row's lock.
 */
final class TsoSchedule {
    /** What the coordinator, or the writer of rounds, gets wrong. */
    enum Flaw {
        NONE,
        /** It commits although a smaller TSO is not prepared yet. */
        NO_TURNS,
        /** A round says that a TSO is certain that was only given out. */
        ROUNDS_TOO_FAR
    }

    /** One entry of a shard's log. Kinds: L local, P prepare, C commit, R rollback, H round (its TSO: what it makes certain). Its round: the last one. */
    record Entry(char kind, int transaction, long tso, int shard, int place, List<Integer> rows, long round) {}

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
    private long lastTso;
    private long eventNumber;
    private long newestRound;
    private int ended;

    /** @param tsoAtCommit whether TSOs are given out once all branches are prepared and stand at the commits, as in PolarDB-X */
    TsoSchedule(SplittableRandom random, int shards, int transactions, int rows, boolean tsoAtCommit, Flaw flaw) {
        this.random = random;
        this.draws = new Draws(random);
        this.flaw = flaw;
        this.tsoAtCommit = tsoAtCommit;
        this.shards = shards;
        this.lastRounds = new long[shards];
        for (int shard = 0; shard < shards; shard++) {
            logs.add(new ArrayList<>());
        }
        run(transactions, rows);
    }

    List<List<Entry>> logs() {
        return logs;
    }

    /** For each row the committed transactions in the order in which they held its lock. */
    Iterable<List<Integer>> rowHistories() {
        return history.values();
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
            at(random.nextDouble(transactions), now -> new Run(transaction, plan, aborts, hasTso).begin(now));
        }
        long endRound = 0;
        while (!events.isEmpty()) { // until every transaction ended and three more rounds passed
            Event event = events.remove();
            event.action.run(event.time);
            if (ended == transactions && endRound == 0) {
                endRound = newestRound + 3;
            }
            if (endRound != 0 && least(lastRounds) >= endRound) {
                break;
            }
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
            if (!aborts) {
                log(shard, 'L', transaction, tso, plan.get(shard));
                committed.add(Math.max(tso, committed.get(committed.size() - 1)));
            }
            release(shard);
            ended++;
        }

        private void prepare(double now, int shard) {
            log(shard, 'P', transaction, tso, plan.get(shard));
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
                at(now + draws.pick(.01, .5, 5, 40) * random.nextDouble(), later -> decide(shard));
            }
        }

        private void decide(int shard) {
            log(shard, aborts ? 'R' : 'C', transaction, tsoAtCommit && !aborts ? tso : 0, List.of());
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
        int[] left = {shards};
        for (int shard = 0; shard < shards; shard++) {
            int each = shard;
            at(now + draws.pick(1, 1, 1, 30) * random.nextDouble(.01, 3), later -> {
                lastRounds[each] = number;
                log(each, 'H', -1, tso, List.of());
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
            log(i % shards, 'H', -1, committed.get(committed.size() - 1), List.of());
        }
    }

    private void at(double time, Action action) {
        events.add(new Event(time, eventNumber++, action));
    }

    private void log(int shard, char kind, int transaction, long tso, List<Integer> rows) {
        List<Entry> log = logs.get(shard);
        log.add(new Entry(kind, transaction, tso, shard, log.size(), rows, lastRounds[shard]));
    }

    private static long least(long[] numbers) {
        long least = Long.MAX_VALUE;
        for (long number : numbers) {
            least = Math.min(least, number);
        }
        return least;
    }
}
