package io.tributary.collector.order;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports once each distributed transaction that is open for long, with the actions that an operator can take. */
public final class InDoubtWatch {
    private static final Logger LOG = LoggerFactory.getLogger(InDoubtWatch.class);

    private final IntrusiveList<DistributedTransaction> young = new IntrusiveList<>();
    private final IntrusiveList<DistributedTransaction> doubtful = new IntrusiveList<>();
    private final long warnNanos;
    private long now;
    private long lastCheck;

    public InDoubtWatch(long warnNanos) {
        this.warnNanos = warnNanos;
    }

    /** The time of the last {@link #tick}. */
    public long now() {
        return now;
    }

    public void watch(DistributedTransaction transaction) {
        young.append(transaction);
    }

    /** The transaction is emitted, or has no branches any more. */
    public void ended(DistributedTransaction transaction) {
        if (transaction.isIn(doubtful)) {
            LOG.info(
                    "distributed transaction in doubt ended: xid={} seconds={}",
                    transaction.xid(),
                    seconds(transaction));
        }
        transaction.unlink();
    }

    /** The number of transactions that have been reported and are still not emitted. */
    public int doubtful() {
        return doubtful.size();
    }

    /** The age of the oldest transaction that is not emitted, ns; 0 when all are. */
    public long oldestNanos() {
        DistributedTransaction oldest = doubtful.size() > 0 ? doubtful.first() : young.first();
        return oldest == null ? 0 : now - oldest.since();
    }

    /**
     * @param waits returns the reasons for which a reported transaction waits
     * @param whenDoubtful called for each transaction that has been reported, about as often as the time after which one is reported
     */
    public void tick(long nanoTime, WaitExplainer waits, Consumer<DistributedTransaction> whenDoubtful) {
        now = nanoTime;
        DistributedTransaction oldest = young.first();
        while (oldest != null && now - oldest.since() >= warnNanos) {
            doubtful.append(oldest);
            LOG.warn(report(oldest, waits));
            oldest = young.first();
        }
        if (now - lastCheck >= warnNanos) {
            lastCheck = now;
            for (DistributedTransaction each = doubtful.first(); each != null; each = each.next()) {
                whenDoubtful.accept(each);
            }
        }
    }

    private String report(DistributedTransaction transaction, WaitExplainer waits) {
        StringJoiner known = new StringJoiner(", ");
        for (Branch branch : transaction.branches()) {
            known.add(branch.shardState().shardName() + (branch.isCommitted() ? " committed" : " prepared"));
        }
        transaction.rolledBack().forEach(branch -> known.add(branch.shardState().shardName() + " rolled back"));
        List<String> remedies = WaitExplainer.remedies(transaction);
        return "distributed transaction in doubt: xid=" + transaction.xid() + " seconds=" + seconds(transaction)
                + " branches=\"" + known + "\" waits.for=\"" + String.join("; ", waits.of(transaction))
                + "\" action=\""
                + (remedies.isEmpty()
                        ? "check why the shards send no rounds"
                        : "ask its coordinator for the outcome, then run " + String.join("; ", remedies))
                + "; tributary xa list shows all\"";
    }

    private long seconds(DistributedTransaction transaction) {
        return (now - transaction.since()) / 1_000_000_000L;
    }

    /** The oldest transactions that are not emitted. */
    public OrderSnapshot snapshot(int most, long epochMicros, WaitExplainer waits) {
        List<HeldTransaction> held = new ArrayList<>();
        add(doubtful, most, epochMicros, waits, held);
        add(young, most, epochMicros, waits, held);
        return new OrderSnapshot(doubtful.size() + young.size(), held);
    }

    private void add(
            IntrusiveList<DistributedTransaction> from,
            int most,
            long epochMicros,
            WaitExplainer waits,
            List<HeldTransaction> held) {
        for (DistributedTransaction each = from.first(); each != null && held.size() < most; each = each.next()) {
            held.add(waits.held(each, now, epochMicros, from == doubtful));
        }
    }
}
