package io.tributary.extractor;

import io.tributary.common.pipeline.Outlet;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The token order of `xa`: tokens leave at once, in the order of the log. */
final class LogTokenOrder implements TokenOrder {
    private final Outlet<Token> out;

    LogTokenOrder(Outlet<Token> out) {
        this.out = out;
    }

    @Override
    public boolean marksRounds() {
        return false;
    }

    @Override
    public long tso(TransactionState transaction) {
        return 0;
    }

    @Override
    public void put(Token token, TransactionState transaction) {
        out.put(token);
    }

    @Override
    public boolean hasRoom() {
        return out.hasRoom();
    }

    @Override
    public int release() {
        return 0;
    }

    @Override
    public CompletableFuture<List<UndecidedBranch>> undecided() {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public void close() {}
}
