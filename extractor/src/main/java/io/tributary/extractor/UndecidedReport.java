package io.tributary.extractor;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.extractor.tso.PendingBranch;
import io.tributary.extractor.tso.TsoSort;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The report, in the log and in metrics, of the tokens of one shard that wait for undecided branches. */
final class UndecidedReport {
    private static final Logger LOG = LoggerFactory.getLogger(UndecidedReport.class);

    private final String shard;
    private final TsoSort sort;
    private final long warnNanos;
    private final Count held = new Count();
    private final Count oldestMillis = new Count();
    private PendingBranch lastReported;

    /** @param warnNanos an undecided branch that is older than this is logged */
    UndecidedReport(String shard, TsoSort sort, long warnNanos, Metrics metrics) {
        this.shard = shard;
        this.sort = sort;
        this.warnNanos = warnNanos;
        metrics.register(Metric.EXTRACT_HELD, held::value, "shard", shard);
        metrics.register(Metric.EXTRACT_UNDECIDED_AGE, () -> oldestMillis.value() / 1e3, "shard", shard);
    }

    /** Updates the metrics, and logs each undecided branch once when it has become old, in the order of their prepares. */
    void update(long now) {
        held.set(sort.held());
        Iterator<PendingBranch> pendingBranches = sort.pendingBranches().iterator();
        if (!pendingBranches.hasNext()) {
            oldestMillis.set(0);
            return;
        }
        PendingBranch oldest = pendingBranches.next();
        oldestMillis.set((now - oldest.sinceNanos()) / 1_000_000);
        if (oldest != lastReported && now - oldest.sinceNanos() > warnNanos) {
            lastReported = oldest;
            LOG.warn(
                    "branch undecided: shard={} branch=\"{}\" seconds={} waiting.tokens={} effect=\"larger TSOs of"
                            + " the other shards wait too\" action=\"run XA COMMIT or XA ROLLBACK for it on this shard,"
                            + " as for its other branches (XA RECOVER CONVERT XID shows it)\"",
                    shard,
                    oldest,
                    (now - oldest.sinceNanos()) / 1_000_000_000,
                    sort.held());
        }
    }
}
