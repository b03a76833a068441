package io.tributary.extractor;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.extractor.tso.UndecidedBranch;
import io.tributary.store.HeldTokens;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The token order of `tso`: tokens leave sorted by TSO. Tokens of the shard wait for a branch that stays undecided; the log and metrics show
 * it.
 */
final class TsoTokenOrder implements TokenOrder {
    private static final int MOST_SHOWN = 1000;

    private final TsoSort sort;
    private final Outlet<Token> out;
    private final HeldTokens heap;
    private final UndecidedReport report;
    private final Clock clock;
    private final StageCalls calls = new StageCalls();
    private long now;

    /** @param heap receives the number of waiting tokens; closed with this order */
    TsoTokenOrder(TsoSort sort, Outlet<Token> out, HeldTokens heap, UndecidedReport report, Clock clock) {
        this.sort = sort;
        this.out = out;
        this.heap = heap;
        this.report = report;
        this.clock = clock;
        this.now = clock.nanoTime();
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
        heap.set((long) sort.held() * HeldTokens.TOKEN_BYTES);
        report.update(now);
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
