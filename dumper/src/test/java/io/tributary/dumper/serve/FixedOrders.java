package io.tributary.dumper.serve;

import io.tributary.dumper.find.SearchGoal;
import java.util.concurrent.CompletableFuture;

/** Takes every order and does nothing. */
class FixedOrders implements BinlogOrders {
    /** What every order is answered with. */
    CompletableFuture<Answer> order() {
        return CompletableFuture.completedFuture(Answer.OK);
    }

    @Override
    public CompletableFuture<Answer> rotate() {
        return order();
    }

    @Override
    public CompletableFuture<Answer> purgeTo(String file) {
        return order();
    }

    @Override
    public CompletableFuture<Answer> purgeBefore(long epochMicros) {
        return order();
    }

    @Override
    public CompletableFuture<Answer> events(EventsWanted wanted) {
        return order();
    }

    @Override
    public CompletableFuture<Answer> position(SearchGoal goal) {
        return order();
    }

    @Override
    public CompletableFuture<Answer> definitions(DefinitionsWanted wanted) {
        return order();
    }
}
