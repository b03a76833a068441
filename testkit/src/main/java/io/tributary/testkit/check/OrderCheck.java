package io.tributary.testkit.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checker of I4: local transactions of a shard are in the output in the shard's order; a distributed transaction is after all transactions that
 * ended on a shard before its PREPARE there, and before all that began there after its COMMIT.
 *
 * <p>Transactions are recognised by {@link Marker}s, or by their changes where these are unique; other transactions are ignored.
 */
public final class OrderCheck implements Check {
    private static final long AMBIGUOUS = -1;

    private final List<ShardHistory> shards;
    private final List<Marker> markers;
    private final Map<String, Long> places = new HashMap<>();
    private long next;

    public OrderCheck(List<ShardHistory> shards, List<Marker> markers) {
        this.shards = List.copyOf(shards);
        this.markers = List.copyOf(markers);
    }

    @Override
    public void accept(BinlogTransaction transaction) {
        String identity = Marker.identity(markers, transaction);
        if (!identity.isEmpty()) {
            places.merge(identity, next, (a, b) -> AMBIGUOUS);
        }
        next++;
    }

    @Override
    public Report report() {
        Violations violations = new Violations("I4 order");
        shards.forEach(shard -> check(shard, violations));
        return violations.report();
    }

    /** A place in a shard's log at which a transaction begins (it has its last lock) or has ended. */
    private record Moment(int at, boolean ends, String identity, long place, BinlogTransaction transaction) {}

    private void check(ShardHistory shard, Violations violations) {
        Moment last = null;
        for (Moment moment : moments(shard)) {
            if (moment.ends) {
                last = last == null || moment.place > last.place ? moment : last;
                continue;
            }
            violations.checked();
            if (last != null && last.place > moment.place) {
                violations.add(shard.name() + ": " + moment.identity + " (" + moment.transaction.place()
                        + ") is number " + moment.place + " in the output, but " + last.identity + " ("
                        + last.transaction.place() + "), which ended earlier on the shard, is number " + last.place);
            }
        }
    }

    private List<Moment> moments(ShardHistory shard) {
        List<Moment> moments = new ArrayList<>();
        for (ShardHistory.Step step : shard.steps()) {
            String identity = Marker.identity(markers, step.transaction);
            Long place = step.isCommitted() && !identity.isEmpty() ? places.get(identity) : null;
            if (place != null && place != AMBIGUOUS) {
                moments.add(new Moment(step.at, false, identity, place, step.transaction));
                moments.add(new Moment(step.endedAt, true, identity, place, step.transaction));
            }
        }
        moments.sort(Comparator.comparingInt(Moment::at).thenComparing(Moment::ends));
        return moments;
    }
}
