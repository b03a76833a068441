package io.tributary.collector.order;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names each distributed transaction once that has not been emitted for long, and what an operator can do about it. */
final class InDoubtWatch {
    private static final Logger LOG = LoggerFactory.getLogger(InDoubtWatch.class);

    private final Chain<Distributed> young = new Chain<>();
    private final Chain<Distributed> doubtful = new Chain<>();
    private final long warnNanos;
    private long now;
    private long lastLook;

    InDoubtWatch(long warnNanos) {
        this.warnNanos = warnNanos;
    }

    /** The time of the last {@link #tick}. */
    long now() {
        return now;
    }

    void watch(Distributed transaction) {
        young.append(transaction);
    }

    /** It is emitted, or has no branches any more. */
    void ended(Distributed transaction) {
        if (transaction.isIn(doubtful)) {
            LOG.info(
                    "distributed transaction {}, which was in doubt, is settled after {} s",
                    transaction.xid(),
                    seconds(transaction));
        }
        transaction.unlink();
    }

    /** Transactions that have been named and are still not emitted. */
    int doubtful() {
        return doubtful.size();
    }

    /** How long the oldest transaction has not been emitted, ns; 0 when all are. */
    long oldestNanos() {
        Distributed oldest = doubtful.size() > 0 ? doubtful.first() : young.first();
        return oldest == null ? 0 : now - oldest.since();
    }

    /**
     * @param waits says what a transaction that is named waits for
     * @param whenDoubtful told of each transaction that has been named, about as often as it takes to become one
     */
    void tick(long nanoTime, Waits waits, Consumer<Distributed> whenDoubtful) {
        now = nanoTime;
        Distributed oldest = young.first();
        while (oldest != null && now - oldest.since() >= warnNanos) {
            doubtful.append(oldest);
            LOG.warn(report(oldest, waits));
            oldest = young.first();
        }
        if (now - lastLook >= warnNanos) {
            lastLook = now;
            for (Distributed each = doubtful.first(); each != null; each = each.next()) {
                whenDoubtful.accept(each);
            }
        }
    }

    private String report(Distributed transaction, Waits waits) {
        StringJoiner known = new StringJoiner(", ");
        for (Branch branch : transaction.branches()) {
            known.add(branch.line().shardName() + (branch.isCommitted() ? " committed" : " prepared"));
        }
        transaction.rolledBack().forEach(branch -> known.add(branch.line().shardName() + " rolled back"));
        List<String> remedies = Waits.remedies(transaction);
        return "distributed transaction " + transaction.xid() + " is not complete after " + seconds(transaction)
                + " s (" + known + "): it waits for " + String.join("; ", waits.of(transaction))
                + (remedies.isEmpty()
                        ? "; see why the shards are silent"
                        : ": ask its coordinator for the outcome, then run " + String.join("; ", remedies))
                + " (tributary xa list shows all)";
    }

    private long seconds(Distributed transaction) {
        return (now - transaction.since()) / 1_000_000_000L;
    }

    /** The oldest transactions that are not emitted. */
    OrderSnapshot snapshot(int most, long epochMicros, Waits waits) {
        List<HeldTransaction> held = new ArrayList<>();
        add(doubtful, most, epochMicros, waits, held);
        add(young, most, epochMicros, waits, held);
        return new OrderSnapshot(doubtful.size() + young.size(), held);
    }

    private void add(Chain<Distributed> from, int most, long epochMicros, Waits waits, List<HeldTransaction> held) {
        for (Distributed each = from.first(); each != null && held.size() < most; each = each.next()) {
            held.add(waits.held(each, now, epochMicros, from == doubtful));
        }
    }
}
