package io.tributary.node.reader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * What all readers of this node have done: a new one is made when an account of its destination changes. Any thread.
 *
 * @param <F> the figures of one of them
 */
public final class ReaderTotals<F> {
    private final List<F> all = new CopyOnWriteArrayList<>();

    /** Counts those of one more reader. */
    public void add(F figures) {
        all.add(figures);
    }

    /** The sum of one figure. */
    public double sum(ToDoubleFunction<F> figure) {
        return all.stream().mapToDouble(figure).sum();
    }
}
