package io.tributary.extractor;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.Hole;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.extractor.tso.UndecidedBranch;
import io.tributary.store.HeldTokens;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** `tso`: tokens leave sorted by TSO. A branch that stays undecided holds its shard back, and is named in the log and in metrics. */
final class TsoDeparture implements Departure {
    private static final Logger LOG = LoggerFactory.getLogger(TsoDeparture.class);

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
    private Hole lastNamed;
    private long now;

    /**
     * @param warnNanos a hole that is older is named in the log
     * @param from the TSO of the cut from which the shard goes on
     * @param committed told each TSO that is read as committed
     * @param heap where to say how many tokens wait; closed with this
     */
    TsoDeparture(
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
        metrics.register(Metric.EXTRACT_HOLE_AGE, () -> oldestMillis.value() / 1e3, "shard", shard);
    }

    @Override
    public boolean marksRounds() {
        return true;
    }

    @Override
    public long tso(OpenTransaction transaction) {
        return transaction.tso() != 0 ? transaction.tso() : -sort.watermark();
    }

    @Override
    public void put(Token token, OpenTransaction transaction) {
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
        reportHoles();
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

    /** Once for each hole that has become old: they become so in the order of their prepares. */
    private void reportHoles() {
        Iterator<Hole> holes = sort.holes().iterator();
        if (!holes.hasNext()) {
            oldestMillis.set(0);
            return;
        }
        Hole oldest = holes.next();
        oldestMillis.set((now - oldest.sinceNanos()) / 1_000_000);
        if (oldest != lastNamed && now - oldest.sinceNanos() > warnNanos) {
            lastNamed = oldest;
            LOG.warn(
                    "shard {}: {} has been undecided for {} s and holds back {} tokens of this shard, and with them"
                            + " the others' larger TSOs; XA COMMIT or XA ROLLBACK it on this shard, as its other branches"
                            + " were (XA RECOVER CONVERT XID shows it)",
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
