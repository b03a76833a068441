package io.tributary.testkit.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.BiPredicate;

/** Strict two-phase locking of simulated rows; records for each row the transactions that committed under its lock. */
public final class RowLocks {
    private final Timetable timetable;
    private final Draws draws;
    private final Set<Row> locks = new HashSet<>();
    private final Map<Row, List<Integer>> history = new HashMap<>();

    private record Row(int shard, int row) {}

    public RowLocks(Timetable timetable, Draws draws) {
        this.timetable = timetable;
        this.draws = draws;
    }

    /** Locks all rows of a plan in their order, so there is no deadlock. */
    public void acquire(double now, NavigableMap<Integer, List<Integer>> plan, Timetable.Action then) {
        List<Row> order = new ArrayList<>();
        plan.forEach((shard, rows) -> rows.forEach(row -> order.add(new Row(shard, row))));
        acquire(now, order, 0, then);
    }

    private void acquire(double now, List<Row> order, int next, Timetable.Action then) {
        if (next == order.size()) {
            then.run(now);
        } else if (!locks.add(order.get(next))) {
            timetable.at(now + .5, later -> acquire(later, order, next, then));
        } else {
            timetable.at(now + draws.uniform(.01, 1), later -> acquire(later, order, next + 1, then));
        }
    }

    /** Releases the locks of a transaction that has ended on a shard. */
    public void release(int shard, List<Integer> rows, int transaction, boolean committed) {
        for (int row : rows) {
            Row key = new Row(shard, row);
            locks.remove(key);
            if (committed) {
                history.computeIfAbsent(key, any -> new ArrayList<>()).add(transaction);
            }
        }
    }

    /**
     * For each row, the committed transactions in the order in which they held its lock.
     *
     * @param counts filter; its arguments are the transaction and the shard
     */
    public List<List<Integer>> histories(BiPredicate<Integer, Integer> counts) {
        List<List<Integer>> histories = new ArrayList<>();
        history.forEach((row, transactions) -> histories.add(transactions.stream()
                .filter(transaction -> counts.test(transaction, row.shard()))
                .toList()));
        return histories;
    }
}
