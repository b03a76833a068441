package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.DueStatement;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/** The output of an order as text: {@code L0} local on shard 0, {@code D0} a statement, {@code 0:1+1:3} a transaction of two branches. */
final class TextOutput implements TransactionSink {
    private final List<String> lines = new ArrayList<>();
    private final Function<Branch, Token> named;

    /** @param named returns the token of a branch whose number in its shard's log is shown in the text */
    TextOutput(Function<Branch, Token> named) {
        this.named = named;
    }

    /** All lines so far. A view. */
    List<String> lines() {
        return lines;
    }

    @Override
    public void local(Token token) {
        token.release();
        lines.add("L" + token.shard());
    }

    @Override
    public long distributed(DistributedTransaction transaction) {
        StringJoiner branches = new StringJoiner("+");
        for (Branch branch : transaction.branches()) {
            branch.prepare().release();
            branches.add(branch.shard() + ":" + named.apply(branch).gno());
        }
        lines.add(branches.toString());
        return lines.size();
    }

    @Override
    public Question questionOf(Token token) {
        return null;
    }

    @Override
    public void ddl(Token token, boolean[] written) {
        token.release();
        for (boolean isWritten : written) {
            if (isWritten) {
                lines.add("D" + token.shard());
            }
        }
    }

    @Override
    public void statement(DueStatement statement) {
        lines.add("D");
    }

    /** A decision is that of a branch of the transaction with this number. */
    @Override
    public void committed(Token commit, long number) {
        String line = lines.get((int) number - 1);
        assertTrue(("+" + line).contains("+" + commit.shard() + ":"), commit + " is not in " + line);
    }
}
