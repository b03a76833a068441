package io.tributary.bench.apply;

import io.tributary.apply.ApplyBackend;
import io.tributary.apply.ApplyOrder;
import java.util.Locale;

/**
 * How transactions are applied.
 *
 * @param sessions 0: one session applies statement by statement, each with a round trip of its own
 * @param batch maximum transactions that are applied together
 */
record ApplyMode(ApplyBackend backend, ApplyOrder order, int sessions, int batch) {
    /** One session that waits for the answer to each BEGIN, to each statement of a row, and to each COMMIT. */
    static final ApplyMode ONE_BY_ONE = new ApplyMode(ApplyBackend.SQL, ApplyOrder.NONE, 0, 1);

    @Override
    public String toString() {
        return sessions == 0
                ? "statement by statement"
                : backend.name().toLowerCase(Locale.ROOT) + ", order "
                        + order.name().toLowerCase(Locale.ROOT) + ", " + sessions + " workers, batches of " + batch;
    }
}
