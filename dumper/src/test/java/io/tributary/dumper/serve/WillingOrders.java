package io.tributary.dumper.serve;

import io.tributary.dumper.find.SearchGoal;
import java.util.concurrent.CompletableFuture;

/**
 * Answers OK to every order, and says that it was asked.
 *
 * @param asked told of each
 */
record WillingOrders(Runnable asked) implements BinlogOrders {
    private CompletableFuture<Answer> order() {
        asked.run();
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
}
