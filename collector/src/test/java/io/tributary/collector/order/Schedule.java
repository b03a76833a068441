package io.tributary.collector.order;

import io.tributary.testkit.order.ChangingShards;
import io.tributary.testkit.order.ChangingShards.Change;
import io.tributary.testkit.order.Draws;
import io.tributary.testkit.order.Entry;
import io.tributary.testkit.order.Rounds;
import io.tributary.testkit.order.RowLocks;
import io.tributary.testkit.order.ShardLogs;
import io.tributary.testkit.order.Timetable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One random run of a cluster in real time, as ordering_model.py generates it: strict two-phase locking, two-phase commit, skewed shard clocks, and
 * heartbeat rounds. The writer of rounds may die, and a shard may refuse rounds for a time. It contains the shards' logs and the history of each
 * row's lock. In some runs the last shard joins in the middle, with or without earlier transactions on it, and the first one leaves once no client
 * writes to it.
 */
final class Schedule {
    /** A mistake of the writer of rounds. */
    enum Flaw {
        NONE,
        /** A new writer does not wait until every shard refuses the old one. */
        NO_TAKEOVER,
        /** A round for which a shard was passed over is executed there nevertheless, later. */
        PASSED_OVER_IN_FLIGHT,
        /** A takeover counts as a round. */
        TAKEOVER_IS_A_ROUND,
        /** The frontier of a shard that joins is chosen while branches from before it was expected are undecided. */
        JOINS_UNDECIDED,
        /** The frontier of a shard that joins is chosen before other writers are refused there. */
        JOINS_BEFORE_TAKEOVER
    }

    private final SplittableRandom random;
    private final Draws draws;
    private final Flaw flaw;
    private final double[] clockOffset;
    private final long[] epochs;
    private final Timetable timetable = new Timetable();
    private final ShardLogs logs;
    private final RowLocks locks;
    private final Rounds rounds;
    private final ChangingShards changing;
    private final boolean reusesGtrids;
    private final int refusing; // a shard that refuses rounds for a time; -1 for none
    private final double refusesFrom;
    private final double refusesTo;
    private final List<Integer> gtrids = new ArrayList<>();
    private final Map<Integer, Set<Integer>> freeGtrids = new TreeMap<>();
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

    /** @param change the shard that joins or leaves; requires at least three shards */
    Schedule(
            SplittableRandom random,
            int shards,
            int transactions,
            int rows,
            double skew,
            Flaw flaw,
            boolean reusesGtrids,
            Change change) {
        this.random = random;
        this.draws = new Draws(random);
        this.flaw = flaw;
        this.reusesGtrids = reusesGtrids;
        this.epochs = new long[shards];
        this.clockOffset = new double[shards];
        for (int shard = 0; shard < shards; shard++) {
            clockOffset[shard] = draws.uniform(-skew, skew);
        }
        this.refusing = random.nextInt(3) == 0 ? random.nextInt(shards) : -1;
        this.refusesFrom = draws.uniform(0, transactions);
        this.refusesTo = refusesFrom + draws.uniform(0, transactions);
        this.logs = new ShardLogs(shards);
        this.locks = new RowLocks(timetable, draws);
        this.rounds = new Rounds(shards, timetable, draws);
        this.changing = new ChangingShards(change, shards, transactions, timetable, logs, draws);
        if (changing.joins()) {
            rounds.exclude(changing.joining());
            planJoin(draws.uniform(0, .7 * transactions));
        }
        run(transactions, rows, shards);
    }

    /** Each shard's log. */
    List<List<Entry>> logs() {
        return logs.all();
    }

    ChangingShards changing() {
        return changing;
    }

    /** When an entry was logged, independent of its shard's clock. */
    double realTime(Entry entry) {
        return logs.realTime(entry);
    }

    /** A transaction's gtrid. */
    int gtrid(int transaction) {
        return gtrids.get(transaction);
    }

    /** For each row the committed transactions in the order in which they held its lock, as far as the output contains them. */
    List<List<Integer>> rowHistories() {
        return locks.histories(changing::counts);
    }

    // ---- the shard that joins

    private void planJoin(double time) {
        int joining = changing.joining();
        for (int old = random.nextInt(4); old > 0; old--) { // rounds of another cluster, until its writer is refused
            timetable.at(draws.uniform(0, 2 * time + 5), now -> {
                if (!rounds.isIncluded(joining)) {
                    logRound(now, joining, rounds.newest() + random.nextInt(200));
                }
            });
        }
        changing.expect(time, () -> logs.undecided(joining), this::include);
    }

    private void include(double now) {
        int joining = changing.joining();
        int frontier = logs.of(joining).size();
        timetable.at(now + draws.uniform(.01, 3), later -> {
            epochs[joining] = Arrays.stream(epochs).max().orElseThrow();
            rounds.atLeast(rounds.landed(joining));
            rounds.include(joining);
            Set<Integer> before = flaw == Flaw.JOINS_UNDECIDED ? Set.of() : logs.undecided(joining);
            changing.awaitDecided(
                    later,
                    before,
                    last -> changing.join(
                            flaw == Flaw.JOINS_BEFORE_TAKEOVER
                                    ? frontier
                                    : logs.of(joining).size()));
        });
    }

    // ---- transactions

    private void run(int transactions, int rows, int shards) {
        timetable.at(0, now -> rounds(now, 1));
        for (int i = 0; i < transactions; i++) {
            gtrids.add(i);
            NavigableMap<Integer, List<Integer>> plan = draws.plan(shards, rows);
            boolean aborts = random.nextDouble() < .1;
            double begins = draws.uniform(0, transactions);
            changing.begins(begins, plan);
            Run run = new Run(i, plan, aborts);
            timetable.at(begins, now -> changing.awaitJoin(now, plan, run::begin));
        }
        timetable.run(
                now -> { // until every transaction has ended and some more rounds have passed
                    changing.askToLeave(now, rounds.newest(), false);
                    return rounds.haveEnded(ended == transactions && changing.haveChanged(), changing.roundsAtTheEnd());
                });
    }

    /** One transaction in progress. */
    private final class Run {
        private final int transaction;
        private final NavigableMap<Integer, List<Integer>> plan;
        private final boolean aborts;
        private int toPrepare;
        private int toDecide;
        private Set<Integer> committedOn = Set.of();

        Run(int transaction, NavigableMap<Integer, List<Integer>> plan, boolean aborts) {
            this.transaction = transaction;
            this.plan = plan;
            this.aborts = aborts;
            this.toPrepare = plan.size();
            this.toDecide = plan.size();
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
            locks.acquire(now, plan, this::locked);
        }

        private void locked(double now) {
            if (plan.size() == 1) {
                int shard = plan.firstKey();
                ended++;
                changing.ends(shard);
                if (!aborts) {
                    log(now, shard, 'L', transaction, plan.get(shard), 0);
                }
                release(shard);
                return;
            }
            for (int shard : plan.keySet()) {
                timetable.at(now + draws.pick(0.01, 0.5, 5, 30) * random.nextDouble(), later -> prepare(later, shard));
            }
        }

        private void prepare(double now, int shard) {
            log(now, shard, 'P', transaction, plan.get(shard), 0);
            changing.ends(shard);
            if (--toPrepare == 0) { // every branch is prepared: decide
                for (int branch : plan.keySet()) {
                    timetable.at(
                            now + draws.pick(0.01, 0.5, 5, 40) * random.nextDouble(), later -> decide(later, branch));
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
            locks.release(shard, plan.get(shard), transaction, !aborts);
        }
    }

    // ---- the writer of rounds

    private void rounds(double now, long epoch) {
        long round = rounds.next();
        if (random.nextDouble() < .03) { // the writer dies; rounds that it sent may still be executed
            write(now, epoch, round, later -> {});
            timetable.at(now + draws.uniform(0, 4), later -> takeOver(later, epoch + 1));
        } else {
            write(now, epoch, round, done -> timetable.at(done + draws.uniform(.5, 5), later -> rounds(later, epoch)));
        }
    }

    private void takeOver(double now, long epoch) {
        switch (flaw) {
            case NO_TAKEOVER -> rounds(now, epoch);
            case TAKEOVER_IS_A_ROUND -> write(now, epoch, rounds.next(), later -> rounds(later, epoch));
            case NONE, PASSED_OVER_IN_FLIGHT, JOINS_UNDECIDED, JOINS_BEFORE_TAKEOVER ->
                write(now, epoch, 0, later -> rounds(later, epoch));
        }
    }

    private void write(double now, long epoch, long round, Timetable.Action whenAcknowledged) {
        rounds.write(
                now,
                (later, shard) -> {
                    if (epochs[shard] > epoch) {
                        return false; // a superseded writer: refused by the row's WHERE
                    }
                    if (round != 0 && refuses(later, shard)) { // it is passed over: no round is sent to it
                        if (flaw == Flaw.PASSED_OVER_IN_FLIGHT) {
                            timetable.at(
                                    later + draws.uniform(1, 40),
                                    last -> landUnlessSuperseded(last, shard, epoch, round));
                        }
                        return true;
                    }
                    epochs[shard] = epoch;
                    if (round != 0) { // a takeover is no round
                        logRound(later, shard, round);
                    }
                    return true;
                },
                whenAcknowledged);
    }

    private boolean refuses(double now, int shard) {
        return shard == refusing && now >= refusesFrom && now < refusesTo;
    }

    private void landUnlessSuperseded(double now, int shard, long epoch, long round) {
        if (epochs[shard] == epoch && rounds.landed(shard) < round) {
            logRound(now, shard, round);
        }
    }

    // ---- helpers

    private void logRound(double now, int shard, long round) {
        log(now, shard, 'H', -1, List.of(), round);
        rounds.landed(shard, round);
    }

    private void log(double now, int shard, char kind, int transaction, List<Integer> rows, long round) {
        List<Entry> log = logs.of(shard);
        double time = now + clockOffset[shard];
        if (!log.isEmpty()) {
            time = Math.max(time, log.get(log.size() - 1).time() + 1e-6);
        }
        logs.add(now, new Entry(kind, transaction, 0, shard, time, log.size(), rows, round));
    }
}
