package io.tributary.collector.order;

import io.tributary.collector.schema.Queues;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Question;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;

/** Decides whether the next token of a shard may be processed now; otherwise the shard waits or is held there. */
public final class HeadCheck {
    private final SchemaOrder schema;
    private final TransactionSink sink;
    private final Queues queues;

    public HeadCheck(SchemaOrder schema, TransactionSink sink, Queues queues) {
        this.schema = schema;
        this.sink = sink;
        this.queues = queues;
    }

    public boolean mayProcess(Token token) {
        if (token.kind() == TokenKind.LOCAL) {
            return admits(token);
        }
        if (token.question() != null) {
            return leavesOut(token, token.question());
        }
        return switch (token.kind()) {
            case DDL ->
                schema.changes().mayProcess(token, queues)
                        && admitsStatement(token)
                        && (!schema.changes().addsRows(token) || admits(token));
            default -> true;
        };
    }

    private boolean admitsStatement(Token token) {
        Question question = schema.changes().conflict(token);
        return question == null || leavesOut(token, question);
    }

    /** Whether the rows of a transaction or branch may be written. */
    public boolean admits(Token token) {
        Question question = token.question() != null ? token.question() : sink.questionOf(token);
        return question == null || leavesOut(token, question);
    }

    /** Whether an operator decided to leave it out; otherwise the shard is held. */
    private boolean leavesOut(Token token, Question question) {
        boolean leavesOut = schema.questions().leavesOut(token);
        if (!leavesOut) {
            schema.questions().hold(token, question);
        }
        return leavesOut;
    }
}
