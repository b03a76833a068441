package io.tributary.extractor;

import io.tributary.common.pipeline.Outlet;
import io.tributary.common.value.Token;
import io.tributary.extractor.tso.UndecidedBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** `xa`: tokens leave at once, in the log's order. */
final class LogDeparture implements Departure {
    private final Outlet<Token> out;

    LogDeparture(Outlet<Token> out) {
        this.out = out;
    }

    @Override
    public boolean marksRounds() {
        return false;
    }

    @Override
    public long tso(OpenTransaction transaction) {
        return 0;
    }

    @Override
    public void put(Token token, OpenTransaction transaction) {
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
