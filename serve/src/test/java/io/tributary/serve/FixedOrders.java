package io.tributary.serve;

import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.Answer;
import io.tributary.serve.statement.BinlogAdmin;
import java.util.concurrent.CompletableFuture;

/** Administrative commands that do nothing and succeed. */
class FixedOrders implements BinlogAdmin {
    /** The answer to every command. */
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
    public CompletableFuture<Answer> events(EventsWanted request) {
        return order();
    }

    @Override
    public CompletableFuture<Answer> position(SearchGoal goal) {
        return order();
    }

    @Override
    public CompletableFuture<Answer> checkpoint() {
        return order();
    }

    @Override
    public CompletableFuture<Answer> definitions(DefinitionsWanted request) {
        return order();
    }
}
