package io.tributary.collector.order.tso;

import io.tributary.collector.order.HeadCheck;
import io.tributary.collector.order.OrderMembership;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.order.ProtocolViolations;
import io.tributary.collector.order.RunnableShards;
import io.tributary.collector.order.ShardState;
import io.tributary.collector.order.ShardStates;
import io.tributary.collector.order.TotalOrder;
import io.tributary.collector.order.TransactionSink;
import io.tributary.collector.schema.Queues;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.store.HeldTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The order `tso`: puts the tokens of all shards, each shard's sorted by TSO (docs/ordering.md), into one order by TSO. At one TSO the order is: the
 * transaction that has it, with its branches joined, then the tokens directly after it, by shard. A TSO is complete once every shard's watermark has
 * passed it. Incomplete tokens stay in their shard's queue, so a cut is never inside a transaction and nothing before it must be read again. For one
 * thread; amortised O(log shards) a token.
 */
public final class TsoOrder implements TotalOrder {
    private final ShardStates states;
    private final RunnableShards runnable;
    private final TsoWatermarks watermarks;
    private final TsoGtrids gtrids = new TsoGtrids();
    private final TsoMembership membership;
    private final SchemaOrder schema;
    private final HeadCheck heads;
    private final TransactionSink sink;
    private final ProtocolViolations violations;

    private long newestTso;
    private long now;
    private int queued;
    private int waiting;
    private Token held;
    private long tried;

    /**
     * @param start where to resume; contains all shards in the order of their indexes
     * @param schema made from the same cut
     * @param sink receives the transactions
     * @param violations notified of violations of two-phase commit
     * @param held where to report how many tokens of a shard wait, by its name
     */
    public TsoOrder(
            Cut start,
            SchemaOrder schema,
            TransactionSink sink,
            ProtocolViolations violations,
            Function<String, HeldTokens> held) {
        this.states = new ShardStates(start, held, schema.questions());
        this.runnable = new RunnableShards(start.shards().size());
        this.watermarks = new TsoWatermarks(start.shards().size(), start.tso());
        this.schema = schema;
        this.heads = new HeadCheck(schema, sink, Queues.HOLD_EACH_OTHER);
        this.membership = new TsoMembership(states, watermarks, schema);
        this.sink = sink;
        this.violations = violations;
        this.newestTso = start.tso();
    }

    @Override
    public void receive(Token token) {
        ShardState state = states.get(token.shard());
        if (state == null) {
            membership.received(token).forEach(this::receive);
            return;
        }
        try {
            watermarks.received(token, state.shardName());
            if (token.kind() == TokenKind.PREPARE) {
                gtrids.prepared(state, token);
            }
        } catch (TributaryException e) {
            token.release();
            throw e;
        }
        schema.changes().received(token);
        boolean wasIdle = state.depth() == 0;
        state.receive(token, null);
        queued++;
        waiting += needsRound(token) ? 1 : 0;
        if (wasIdle) {
            runnable.add(state);
        }
    }

    /** Whether a token needs a round; otherwise rounds that wait for rounds would never end. */
    private static boolean needsRound(Token token) {
        return token.kind() != TokenKind.ROUND && token.kind() != TokenKind.SKIPPED;
    }

    /**
     * Executes one step. If a shard waits at a statement or is held at a question, transactions with a larger TSO cannot be emitted before it, so all
     * shards wait there. They continue to be read.
     */
    @Override
    public boolean process() {
        if (schema.changes().hasDue()) {
            sink.statement(schema.changes().pollDue());
            return true;
        }
        ShardState state = runnable.first();
        if (state == null || state.head().tsoPlace() > watermarks.passed()) {
            return false;
        }
        Token token = state.head();
        if (held != null && held.equals(token) && schema.version() == tried) {
            return false;
        }
        if (held != null) {
            schema.questions().retry();
            held = null;
        }
        boolean admits = token.hasTso() ? admitsGroup(token.tso()) : heads.mayProcess(token);
        if (!admits) {
            held = token;
            tried = schema.version();
            return false;
        }
        if (token.hasTso()) {
            processGroup(token.tso());
            return true;
        }
        boolean isLeftOut = token.question() != null;
        switch (token.kind()) {
            case LOCAL -> {
                if (!isLeftOut) {
                    sink.local(token);
                }
            }
            case DDL -> {
                if (!isLeftOut) {
                    ddl(token);
                }
            }
            case SKIPPED -> schema.changes().hidden(token);
            default -> token.release();
        }
        advanceFirst();
        return true;
    }

    /** Whether all tokens with this TSO that are first in their queues may be written. */
    private boolean admitsGroup(long tso) {
        boolean admits = true;
        for (int shard = 0; shard < states.indexes(); shard++) {
            ShardState state = states.get(shard);
            if (state != null && state.depth() > 0 && state.head().tso() == tso) {
                Token token = state.head();
                boolean hasRows = token.kind() == TokenKind.PREPARE || token.kind() == TokenKind.LOCAL;
                admits &= token.question() == null && !hasRows || heads.admits(token);
            }
        }
        return admits;
    }

    /** Every shard has passed this TSO, so all tokens with it have been received. */
    private void processGroup(long tso) {
        TsoGroup group = new TsoGroup(tso, now);
        try {
            ShardState state = runnable.first();
            while (state != null && state.head().tso() == tso) {
                if (state.head().kind() == TokenKind.SKIPPED) {
                    schema.changes().hidden(state.head());
                }
                group.add(state, state.head());
                advanceFirst();
                state = runnable.first();
            }
            group.emit(sink, violations);
        } catch (RuntimeException e) { // the order ends here; the removed tokens are released
            group.release();
            throw e;
        }
    }

    private void advanceFirst() {
        ShardState state = runnable.first();
        runnable.removeFirst();
        Token token = state.head();
        newestTso = Math.max(newestTso, token.tsoPlace());
        advance(state);
        if (token.kind() == TokenKind.ROUND && membership.leaves(state, token)) {
            forget(state);
        } else if (state.depth() > 0) {
            runnable.add(state);
        }
    }

    private void advance(ShardState state) {
        queued--;
        waiting -= needsRound(state.head()) ? 1 : 0;
        state.advance();
    }

    /** Releases the remaining tokens of a shard that has left; they are not processed. */
    private void forget(ShardState state) {
        while (state.depth() > 0) {
            state.head().release();
            advance(state);
        }
        state.close();
    }

    private void ddl(Token token) {
        if (schema.changes().isSkipped(token)) {
            schema.questions().leaveOut(token);
        }
        sink.ddl(token, schema.changes().process(token));
    }

    @Override
    public OrderMembership membership() {
        return membership;
    }

    @Override
    public boolean awaitsRound() {
        return waiting > 0 && runnable.first().head().tsoPlace() > watermarks.passed();
    }

    @Override
    public int queued() {
        return queued;
    }

    /** None: a branch in doubt is held, and reported, where it is extracted. */
    @Override
    public int inDoubt() {
        return 0;
    }

    @Override
    public long oldestNanos() {
        return 0;
    }

    @Override
    public OrderSnapshot snapshot(int most, long epochMicros) {
        List<String> last = new ArrayList<>();
        if (awaitsRound()) {
            states.forEach(state -> {
                if (watermarks.isLast(state.shard())) {
                    last.add(state.shardName());
                }
            });
        }
        return new OrderSnapshot(
                0,
                List.of(),
                last.isEmpty()
                        ? List.of()
                        : List.of(waiting + " transactions and decisions, the first of them at TSO "
                                + runnable.first().head().tsoPlace() + ", wait for a larger one from shard "
                                + String.join(", ", last)));
    }

    @Override
    public long commitMicros(int shard) {
        ShardState state = states.get(shard);
        return state == null ? 0 : state.commitMicros();
    }

    @Override
    public void tick(long nanoTime) {
        now = nanoTime;
    }

    @Override
    public Cut cut(long epoch, long number, long transactions, long tableIds) {
        Cut cut = states.cut(epoch, number, transactions, tableIds, schema.watch()::state);
        return new Cut(
                epoch,
                number,
                cut.sources(),
                new Cut.OutputPoint(transactions, tableIds, newestTso),
                cut.schemaPoint());
    }

    @Override
    public void close() {
        states.forEach(ShardState::close);
        membership.close();
        queued = 0;
        waiting = 0;
    }
}
