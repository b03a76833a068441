package io.tributary.extractor;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.PendingBranch;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.extractor.tso.UndecidedBranch;
import io.tributary.store.HeldTokens;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token order of `tso`: tokens leave sorted by TSO. Tokens of the shard wait for a branch that stays undecided; the log and metrics show
 * it.
 */
final class TsoTokenOrder implements TokenOrder {
    private static final Logger LOG = LoggerFactory.getLogger(TsoTokenOrder.class);

    private static final int MOST_SHOWN = 1000;

    private final String shard;
    private final Outlet<Token> out;
    private final Clock clock;
    private final long warnNanos;
    private final TsoSort sort;
    private final StageCalls calls = new StageCalls();
    private final Count held = new Count();
    private final HeldTokens heap;
    private final Count oldestMillis = new Count();
    private PendingBranch lastReported;
    private long now;

    /**
     * @param warnNanos an undecided branch that is older than this is logged
     * @param from the TSO of the cut from which the shard continues
     * @param committed notified of each TSO that is read as committed
     * @param heap receives the number of waiting tokens; closed with this order
     */
    TsoTokenOrder(
            ShardSource source,
            Outlet<Token> out,
            HeldTokens heap,
            Clock clock,
            Metrics metrics,
            long warnNanos,
            long from,
            LongConsumer committed) {
        this.shard = source.name();
        this.out = out;
        this.heap = heap;
        this.clock = clock;
        this.warnNanos = warnNanos;
        this.sort = new TsoSort(source.from(), from, committed);
        this.now = clock.nanoTime();
        metrics.register(Metric.EXTRACT_HELD, held::value, "shard", shard);
        metrics.register(Metric.EXTRACT_UNDECIDED_AGE, () -> oldestMillis.value() / 1e3, "shard", shard);
    }

    @Override
    public boolean marksRounds() {
        return true;
    }

    @Override
    public long tso(TransactionState transaction) {
        return transaction.tso() != 0 ? transaction.tso() : -sort.watermark();
    }

    @Override
    public void put(Token token, TransactionState transaction) {
        sort.put(token, transaction.roundTso(), now);
        send();
    }

    @Override
    public boolean hasRoom() {
        return !sort.hasLeaving() && out.hasRoom();
    }

    @Override
    public int release() {
        now = clock.nanoTime();
        int sent = send() + calls.run();
        held.set(sort.held());
        heap.set((long) sort.held() * HeldTokens.TOKEN_BYTES);
        reportPending();
        return sent;
    }

    private int send() {
        int sent = 0;
        while (sort.hasLeaving() && out.hasRoom()) {
            out.put(sort.poll());
            sent++;
        }
        return sent;
    }

    /** Logs each undecided branch once when it has become old, in the order of their prepares. */
    private void reportPending() {
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

    @Override
    public CompletableFuture<List<UndecidedBranch>> undecided() {
        return calls.ask(() -> sort.undecided(MOST_SHOWN, now));
    }

    @Override
    public void close() {
        calls.close();
        sort.close();
        heap.close();
    }
}
