package io.tributary.node.order;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.TransactionSink;
import io.tributary.collector.schema.DueStatement;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;
import io.tributary.testkit.order.ReplayedOutput;

/** A sink that passes the emitted transactions of a schedule to the output. */
public record ReplayEmission(ReplayedOutput output) implements TransactionSink {
    @Override
    public void local(Token token) {
        output.local(token, 0);
    }

    @Override
    public long distributed(DistributedTransaction transaction) {
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
