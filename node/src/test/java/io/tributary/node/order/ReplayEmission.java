package io.tributary.node.order;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.Distributed;
import io.tributary.collector.order.Emission;
import io.tributary.collector.schema.DueStatement;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;
import io.tributary.testkit.order.ReplayedOutput;

/** Takes what an order emits of a schedule. */
public record ReplayEmission(ReplayedOutput output) implements Emission {
    @Override
    public void local(Token token) {
        output.local(token, 0);
    }

    @Override
    public long distributed(Distributed transaction) {
        return output.distributed(
                transaction.branches().stream().map(Branch::prepare).toList(), 0);
    }

    @Override
    public Question questionOf(Token token) {
        return null;
    }

    @Override
    public void ddl(Token token, boolean[] written) {
        throw new AssertionError("a schedule has no DDL");
    }

    @Override
    public void statement(DueStatement statement) {
        throw new AssertionError("a schedule has no DDL");
    }

    @Override
    public void committed(Token commit, long number) {
        output.committed(commit, number);
    }
}
