package io.tributary.collector.order;

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

    /** Transactions that have been named and are still not emitted. */
    int doubtful() {
        return doubtful.size();
    }

    /** @param whenDoubtful told of each transaction that has been named, about as often as it takes to become one */
    void tick(long nanoTime, Consumer<Distributed> whenDoubtful) {
        now = nanoTime;
        Distributed oldest = young.first();
        while (oldest != null && now - oldest.since() >= warnNanos) {
            doubtful.append(oldest);
            LOG.warn(report(oldest));
            oldest = young.first();
        }
        if (now - lastLook >= warnNanos) {
            lastLook = now;
            for (Distributed each = doubtful.first(); each != null; each = each.next()) {
                whenDoubtful.accept(each);
            }
        }
    }

    private String report(Distributed transaction) {
        StringJoiner known = new StringJoiner(", ");
        StringJoiner remedy = new StringJoiner("; ");
        for (Branch branch : transaction.branches()) {
            String shard = branch.line().shardName();
            known.add(shard + (branch.isCommitted() ? " committed" : " prepared"));
            if (!branch.isCommitted()) {
                remedy.add("XA COMMIT " + branch.xid() + " or XA ROLLBACK " + branch.xid() + " on shard " + shard);
            }
        }
        String wait = remedy.length() > 0
                ? "ask its coordinator for the outcome, then run " + remedy
                : "it waits for heartbeat rounds, or behind another transaction: see why shards are silent";
        return "distributed transaction " + transaction.xid() + " is not complete after "
                + (now - transaction.since()) / 1_000_000_000L + " s (" + known + "): " + wait;
    }
}
