package io.tributary.collector.order.xa;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.HeadCheck;
import io.tributary.collector.order.InDoubtWatch;
import io.tributary.collector.order.OrderMembership;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.order.RoundWatch;
import io.tributary.collector.order.RunnableShards;
import io.tributary.collector.order.ShardState;
import io.tributary.collector.order.ShardStates;
import io.tributary.collector.order.TotalOrder;
import io.tributary.collector.order.TransactionSink;
import io.tributary.collector.order.WaitExplainer;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.List;

/**
 * The order `xa`: puts the tokens of all shards into one order of whole transactions, by the four rules of ordering.md: {@link #receive},
 * {@link #process}, {@link #emitWhenComplete}, {@link #passEmitted}. Correct for any interleaving that keeps each shard's order. For one thread;
 * amortised O(log shards) a token.
 */
public final class XaOrder implements TotalOrder {
    private final ShardStates states;
    private final RunnableShards runnable;
    private final RoundWatch rounds;
    private final TransactionRegistry registry;
    private final CompletionTracker completion;
    private final BranchTracker branches;
    private final InDoubtWatch inDoubt;
    private final WaitExplainer waits;
    private final SchemaOrder schema;
    private final HeldShards held;
    private final HeadCheck heads;
    private final TransactionSink sink;
    private final XaMembership membership;

    private int queued;

    /**
     * @param states the shards in the cut where to resume
     * @param schema made from the same cut
     * @param sink receives the transactions
     * @param registry empty
     */
    public XaOrder(
            ShardStates states, SchemaOrder schema, TransactionSink sink, TransactionRegistry registry, XaRules rules) {
        this.sink = sink;
        this.states = states;
        this.runnable = new RunnableShards(states.indexes());
        this.inDoubt = registry.inDoubt();
        this.registry = registry;
        this.rounds = new RoundWatch(states.rounds(), rules::neededRound);
        this.waits = new WaitExplainer(states, rounds);
        this.completion = new CompletionTracker(states, rounds, runnable, new XidReuseResolver(registry), rules);
        this.branches = new BranchTracker(registry, rounds, completion);
        this.schema = schema;
        this.held = new HeldShards(states, runnable, schema);
        this.heads = new HeadCheck(schema, sink, this.held);
        this.membership = new XaMembership(states, rounds, completion, schema, rules);
    }

    // ---- rule 1: the effect of a token when it is received, before the tokens before it are processed

    /**
     * Receives a token and records its effect: a branch is known, a branch has committed, a round was received. Its payload is owned by this object
     * from now on. {@link #process} does the rest.
     */
    @Override
    public void receive(Token received) {
        Token token = received;
        ShardState state = states.get(token.shard());
        if (state == null) { // it has left
            token.release();
            return;
        }
        if (state.isReread(token)) {
            reread(state, token);
            return;
        }
        schema.changes().received(token);
        TokenKind kind = token.kind();
        if (kind == TokenKind.COMMIT && !state.undecided().containsKey(token.xid())) {
            token = token.asking(state.unknownBranch(token));
        }
        Branch branch = switch (kind) {
            case PREPARE -> branches.prepared(state, token);
            case COMMIT -> token.question() == null ? branches.committed(state, token) : null;
            case ROLLBACK -> branches.rolledBack(state, token);
            default -> null;
        };
        boolean wasIdle = state.depth() == 0;
        state.receive(token, branch);
        queued++;
        if (wasIdle) {
            runnable.add(state);
        }
        switch (kind) {
            case ROUND -> {
                rounds.received(state.shard(), token.round(), completion::changed);
                membership.roundReceived(state);
            }
            case COMMIT, ROLLBACK -> completion.changed(branch == null ? null : branch.transaction());
            default -> {}
        }
    }

    /** Before the cut's frontier only branches that are still pending matter. */
    private void reread(ShardState state, Token token) {
        switch (token.kind()) {
            case PREPARE -> branches.prepareReread(state, token);
            case COMMIT, ROLLBACK -> branches.decisionReread(state, token);
            case DDL, SKIPPED -> {
                membership.statementBefore(state, token);
                token.release();
            }
            default -> token.release();
        }
        if (states.rereadOne(state)) {
            states.forEach(each -> completion.changed(each.waitsFor()));
        }
    }

    // ---- rule 2: the queues of the shards that do not wait, in key order

    /**
     * Processes one token: a local transaction is emitted, a branch becomes ready, a round passes. A shard whose statement waits, or that needs an
     * operator's decision, is held there, and the others continue.
     *
     * @return whether there was one; at most one transaction is emitted
     */
    @Override
    public boolean process() {
        if (schema.changes().hasDue()) {
            sink.statement(schema.changes().pollDue());
            return true;
        }
        held.retry();
        for (ShardState state = runnable.first(); state != null; state = runnable.first()) {
            runnable.removeFirst();
            Token token = state.head();
            if (heads.mayProcess(token)) {
                process(state, token);
                return true;
            }
            held.add(state);
        }
        return false;
    }

    private void process(ShardState state, Token token) {
        if (token.question() != null && token.kind() != TokenKind.PREPARE) { // left out by an operator's decision
            token.release();
            advance(state, token);
            return;
        }
        Branch branch = state.headBranch();
        switch (token.kind()) {
            case LOCAL -> sink.local(token);
            case PREPARE -> branches.ready(branch);
            case COMMIT -> {
                if (branch.isEmitted()) {
                    passEmitted(token, branch);
                } else if (!emitWhenComplete(state, token, branch)) {
                    return;
                }
            }
            case DDL -> ddl(token);
            case SKIPPED -> schema.changes().hidden(token);
            case ROLLBACK, ROUND -> token.release();
        }
        advance(state, token);
    }

    private void advance(ShardState state, Token token) {
        state.advance();
        queued--;
        if (state.membership().isLeaving() && leaves(state, token)) {
            return;
        }
        if (state.depth() > 0) {
            runnable.add(state);
        }
    }

    private boolean leaves(ShardState state, Token processed) {
        int rest = state.depth();
        boolean leaves = membership.processed(state, processed);
        queued -= leaves ? rest : 0;
        return leaves;
    }

    private void ddl(Token token) {
        if (schema.changes().isSkipped(token)) {
            schema.questions().leaveOut(token);
        }
        sink.ddl(token, schema.changes().process(token));
    }

    // ---- rules 3 and 4: commits

    /**
     * The commit of a transaction that is not emitted: if the transaction is complete, it is emitted with all branches joined; else this shard waits
     * here, and the others continue.
     */
    private boolean emitWhenComplete(ShardState state, Token commit, Branch branch) {
        completion.resolveReuse(branch.transaction());
        DistributedTransaction transaction = branch.transaction();
        if (!completion.isComplete(transaction)) {
            transaction.addWaiting(state);
            return false;
        }
        List<Branch> prepared = transaction.branches();
        for (int i = 0; i < prepared.size(); i++) {
            if (!heads.admits(prepared.get(i).prepare())) {
                held.add(state);
                return false;
            }
        }
        long number = sink.distributed(transaction);
        DistributedTransaction later = transaction.later();
        registry.emitted(transaction, number);
        states.open(transaction.branches());
        passEmitted(commit, branch);
        completion.wake(transaction);
        completion.changed(later);
        return true;
    }

    /** Passes the commit of a transaction that was emitted. */
    private void passEmitted(Token commit, Branch branch) {
        branch.unlink();
        if (branch.transaction() != null) {
            sink.committed(commit, branch.transaction().number());
        }
    }

    // ---- queries

    @Override
    public OrderMembership membership() {
        return membership;
    }

    @Override
    public boolean awaitsRound() {
        return rounds.isAwaited();
    }

    @Override
    public int queued() {
        return queued;
    }

    @Override
    public int inDoubt() {
        return inDoubt.doubtful();
    }

    @Override
    public long commitMicros(int shard) {
        ShardState state = states.get(shard);
        return state == null ? 0 : state.commitMicros();
    }

    @Override
    public void tick(long nanoTime) {
        held.tick();
        inDoubt.tick(nanoTime, waits, completion::breakCycle);
    }

    @Override
    public long oldestNanos() {
        return inDoubt.oldestNanos();
    }

    @Override
    public OrderSnapshot snapshot(int most, long epochMicros) {
        return inDoubt.snapshot(most, epochMicros, waits);
    }

    @Override
    public Cut cut(long epoch, long number, long transactions, long tableIds) {
        return states.cut(epoch, number, transactions, tableIds, schema.watch()::state);
    }

    @Override
    public void close() {
        states.forEach(ShardState::close);
        queued = 0;
    }
}
