package io.tributary.node.apply;

import io.tributary.apply.schedule.ScheduleFigures;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** What all appliers of this node have done: a new one is made when the account on the target changes. Any thread. */
final class ApplyTotals {
    private final List<ScheduleFigures> all = new CopyOnWriteArrayList<>();

    /** Counts those of one more applier. */
    void add(ScheduleFigures figures) {
        all.add(figures);
    }

    /** The sum of one figure. */
    double sum(ToDoubleFunction<ScheduleFigures> figure) {
        return all.stream().mapToDouble(figure).sum();
    }

    /** Transactions that have committed on the target. */
    long transactions() {
        return (long) sum(ScheduleFigures::transactions);
    }
}
