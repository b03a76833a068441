package io.tributary.node.order;

import io.tributary.testkit.order.ChangingShards;
import io.tributary.testkit.order.ChangingShards.Change;
import io.tributary.testkit.order.Draws;
import io.tributary.testkit.order.Entry;
import io.tributary.testkit.order.Rounds;
import io.tributary.testkit.order.RowLocks;
import io.tributary.testkit.order.ShardLogs;
import io.tributary.testkit.order.Timetable;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One random run of a cluster in simulated real time whose coordinator assigns TSOs: strict two-phase locking, two-phase commit, local transactions
 * with and without a TSO, heartbeat rounds. It contains the shards' logs and the history of each row's lock. In some runs the last shard joins
 * during the run, with or without transactions on it before, and the first one leaves when it gets no new branches.
 */
public final class TsoSchedule {
    /** An error of the coordinator or of the writer of rounds. */
    public enum Flaw {
        NONE,
        /** The coordinator commits although a transaction with a smaller TSO is not prepared yet. */
        NO_TURNS,
        /** A round contains a TSO as certain that was only assigned. */
        ROUNDS_TOO_FAR,
        /** The frontier of a shard that joins is chosen while branches from before it was expected are undecided. */
        JOINS_UNDECIDED,
        /** A shard is asked to leave while transactions on it are not prepared there. */
        LEAVES_IN_USE
    }

    private final SplittableRandom random;
    private final Draws draws;
    private final Flaw flaw;
    private final boolean tsoAtCommit;
    private final int shards;
    private final Timetable timetable = new Timetable();
    private final ShardLogs logs;
    private final RowLocks locks;
    private final Rounds rounds;
    private final ChangingShards changing;

    /** TSOs that were assigned and are neither prepared on all shards nor rolled back. */
    private final TreeSet<Long> pending = new TreeSet<>();

    private final List<Long> committed = new ArrayList<>(List.of(0L));
    private long lastTso;
    private int ended;

    /** @param tsoAtCommit whether TSOs are assigned when all branches are prepared, and logged with the commits, as in PolarDB-X */
    public TsoSchedule(
            SplittableRandom random, int shards, int transactions, int rows, boolean tsoAtCommit, Flaw flaw) {
        this(random, shards, transactions, rows, tsoAtCommit, flaw, Change.NONE);
    }

    /** @param change the shard that joins or leaves; needs at least three shards */
    public TsoSchedule(
            SplittableRandom random,
            int shards,
            int transactions,
            int rows,
            boolean tsoAtCommit,
            Flaw flaw,
            Change change) {
        this.random = random;
        this.draws = new Draws(random);
        this.flaw = flaw;
        this.tsoAtCommit = tsoAtCommit;
        this.shards = shards;
        this.logs = new ShardLogs(shards);
        this.locks = new RowLocks(timetable, draws);
        this.rounds = new Rounds(shards, timetable, draws);
        this.changing = new ChangingShards(change, shards, transactions, timetable, logs, draws);
        if (changing.joins()) {
            rounds.exclude(changing.joining());
            planJoin(draws.uniform(0, .7 * transactions));
        }
        run(transactions, rows);
    }

    /** Each shard's log. */
    public List<List<Entry>> logs() {
        return logs.all();
    }

    /** The shards that join and leave. */
    public ChangingShards changing() {
        return changing;
    }

    /** The time at which an entry was logged. */
    public double realTime(Entry entry) {
        return logs.realTime(entry);
    }

    /** The largest TSO that was assigned. */
    public long newestTso() {
        return lastTso;
    }

    /** For each row the committed transactions in the order in which they held its lock; only those that are in the output. */
    List<List<Integer>> rowHistories() {
        return locks.histories(changing::counts);
    }

    // ---- the shard that joins

    private void planJoin(double time) {
        int joining = changing.joining();
        for (int old = random.nextInt(4); old > 0; old--) { // another cluster's rounds, with its coordinator's TSOs
            timetable.at(draws.uniform(0, 2 * time + 5), now -> {
                if (!rounds.isIncluded(joining)) {
                    log(now, joining, 'H', -1, lastTso + random.nextInt(1000), List.of());
                }
            });
        }
        changing.expect(time, this::toBeDecided, this::include);
    }

    private void include(double now) {
        rounds.include(changing.joining());
        changing.awaitDecided(
                now,
                toBeDecided(),
                last -> timetable.at(
                        last + (flaw == Flaw.JOINS_UNDECIDED ? 0 : draws.pick(0, 6, 20) * random.nextDouble()),
                        later -> changing.join(logs.of(changing.joining()).size())));
    }

    private Set<Integer> toBeDecided() {
        return flaw == Flaw.JOINS_UNDECIDED ? Set.of() : logs.undecided(changing.joining());
    }

    // ---- transactions

    private void run(int transactions, int rows) {
        timetable.at(0, this::round);
        for (int i = 0; i < transactions; i++) {
            NavigableMap<Integer, List<Integer>> plan = draws.plan(shards, rows);
            boolean aborts = random.nextDouble() < .1;
            boolean hasTso = plan.size() > 1 || !tsoAtCommit && random.nextBoolean();
            double begins = draws.uniform(0, transactions);
            changing.begins(begins, plan);
            Run run = new Run(i, plan, aborts, hasTso);
            timetable.at(begins, now -> changing.awaitJoin(now, plan, run::begin));
        }
        timetable.run(
                now -> { // until every transaction ended and some more rounds passed
                    changing.askToLeave(now, rounds.newest(), flaw == Flaw.LEAVES_IN_USE);
                    return rounds.haveEnded(ended == transactions && changing.haveChanged(), changing.roundsAtTheEnd());
                });
    }

    /** One running transaction. */
    private final class Run {
        private final int transaction;
        private final NavigableMap<Integer, List<Integer>> plan;
        private final boolean aborts;
        private final boolean hasTso;
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
        }

        void begin(double now) {
            locks.acquire(now, plan, this::locked);
        }

        private void locked(double now) {
            if (hasTso && !tsoAtCommit) {
                takeTso();
            }
            if (plan.size() == 1) {
                timetable.at(now + random.nextDouble(.01, 3), this::commitLocal);
                return;
            }
            for (int shard : plan.keySet()) {
                timetable.at(now + draws.pick(.01, .5, 5, 30) * random.nextDouble(), later -> prepare(later, shard));
            }
        }

        private void takeTso() {
            lastTso += random.nextInt(1, 4);
            tso = lastTso;
            pending.add(tso);
        }

        private boolean mayCommit() {
            return tso == 0 || flaw == Flaw.NO_TURNS || pending.headSet(tso).isEmpty();
        }

        private void commitLocal(double now) {
            int shard = plan.firstKey();
            if (!aborts && !mayCommit()) {
                timetable.at(now + .3, this::commitLocal);
                return;
            }
            pending.remove(tso);
            changing.ends(shard);
            if (!aborts) {
                log(now, shard, 'L', transaction, tso, plan.get(shard));
                committed.add(Math.max(tso, committed.get(committed.size() - 1)));
            }
            release(shard);
            ended++;
        }

        private void prepare(double now, int shard) {
            log(now, shard, 'P', transaction, tso, plan.get(shard));
            changing.ends(shard);
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
            if (!aborts && !mayCommit()) {
                timetable.at(now + .3, this::decideAll);
                return;
            }
            for (int shard : plan.keySet()) {
                timetable.at(now + draws.pick(.01, .5, 5, 40) * random.nextDouble(), later -> decide(later, shard));
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
            locks.release(shard, plan.get(shard), transaction, !aborts);
        }
    }

    /** Writes a round. Its TSO may be older than the newest commit, and a round of a crashed writer may arrive late; both are correct. */
    private void round(double now) {
        long number = rounds.next();
        int read = random.nextBoolean() ? committed.size() - 1 : random.nextInt(committed.size());
        boolean isLast = read == committed.size() - 1;
        long tso = flaw == Flaw.ROUNDS_TOO_FAR && isLast ? lastTso : committed.get(read);
        rounds.write(
                now,
                (later, shard) -> {
                    rounds.landed(shard, number);
                    log(later, shard, 'H', -1, tso, List.of());
                    return true;
                },
                later -> timetable.at(later + draws.uniform(.5, 5), this::round));
    }

    /** Adds two rounds, so that all commits are certain and before the merger's last window. */
    void endWithRounds() {
        for (int i = 0; i < 2 * shards; i++) {
            rounds.landed(i % shards, rounds.newest() + 1 + i / shards);
            log(Double.MAX_VALUE, i % shards, 'H', -1, committed.get(committed.size() - 1), List.of());
        }
    }

    private void log(double now, int shard, char kind, int transaction, long tso, List<Integer> rows) {
        int place = logs.of(shard).size();
        logs.add(now, new Entry(kind, transaction, tso, shard, place, place, rows, rounds.landed(shard)));
    }
}
