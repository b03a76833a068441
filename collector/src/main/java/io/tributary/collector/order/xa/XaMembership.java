package io.tributary.collector.order.xa;

import io.tributary.collector.order.OrderMembership;
import io.tributary.collector.order.RoundWatch;
import io.tributary.collector.order.ShardState;
import io.tributary.collector.order.ShardStates;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * `xa`: the set of shards from which rounds are required, and how it changes at a round.
 *
 * <p>A shard joins in three steps. First it is expected: from then on no distributed transaction is complete until this shard's rounds have been
 * received too. Second, the position is chosen from which it counts: a transaction with a branch that is prepared after that position, or is not
 * decided there, was not emitted before. Third, it joins with that position, is in the cut from then on, and with its first round the others
 * continue.
 *
 * <p>A shard leaves at one of its rounds if everything before that round has been processed, none of its branches is open, and nothing was logged
 * between this round and the previous one; both must begin after the request to leave.
 */
final class XaMembership implements OrderMembership {
    private final ShardStates states;
    private final RoundWatch rounds;
    private final CompletionTracker completion;
    private final SchemaOrder schema;
    private final XaRules rules;
    private final Map<Integer, ShardCut> left = new HashMap<>();

    XaMembership(
            ShardStates states, RoundWatch rounds, CompletionTracker completion, SchemaOrder schema, XaRules rules) {
        this.states = states;
        this.rounds = rounds;
        this.completion = completion;
        this.schema = schema;
        this.rules = rules;
    }

    /** From now on no distributed transaction is complete until its rounds have been received too. */
    @Override
    public int expect() {
        int shard = states.expect();
        rounds.addShard();
        return shard;
    }

    @Override
    public boolean cancelJoin(int shard) {
        if (states.get(shard) != null) {
            return false;
        }
        rounds.removeShard(shard, completion::changed);
        recheck();
        return true;
    }

    /** From now on the shard is in every cut. */
    @Override
    public void join(int shard, ShardCut from) {
        schema.join(shard, from);
        states.join(shard, from).membership().join();
    }

    @Override
    public boolean isJoined(int shard) {
        ShardState state = states.get(shard);
        return state != null && state.isCaughtUp() && !state.membership().isJoining();
    }

    /** A round has been received from a shard. */
    void roundReceived(ShardState state) {
        if (state.membership().isJoining()) {
            state.membership().joined();
            recheck();
        }
    }

    /** Transactions that lack only the round of this shard are not recorded as waiting for it, so all are checked. */
    private void recheck() {
        states.forEach(each -> completion.changed(each.waitsFor()));
    }

    /** A statement that a shard logged before it joined. */
    void statementBefore(ShardState state, Token token) {
        if (!state.membership().isJoining()) {
            return;
        }
        if (token.ddl() != null) {
            schema.changes().hadBefore(token.ddl(), state.shard());
        }
        schema.changes().hidden(token);
    }

    // ---- leaving

    @Override
    public void requestLeave(int shard, long afterRound) {
        states.get(shard).membership().requestLeave(afterRound);
    }

    @Override
    public void cancelLeave(int shard) {
        ShardState state = states.get(shard);
        if (state != null) {
            state.membership().cancelLeave();
        }
    }

    @Override
    public ShardCut left(int shard) {
        return left.get(shard);
    }

    /**
     * A token of the shard has been processed.
     *
     * @return whether the shard has left at it
     */
    boolean processed(ShardState state, Token token) {
        if (!rules.mayLeaveAt(state, token) || !hindrances(state).isEmpty()) {
            return false;
        }
        left.put(state.shard(), state.cut());
        states.leave(state);
        state.close();
        schema.leave(state.shard());
        rounds.removeShard(state.shard(), completion::changed);
        return true;
    }

    @Override
    public List<String> hindrances(int shard) {
        ShardState state = states.get(shard);
        return state == null ? List.of() : hindrances(state);
    }

    private List<String> hindrances(ShardState state) {
        List<String> hindrances = new ArrayList<>();
        if (!state.isCaughtUp()) {
            hindrances.add("it is still being read again up to the last cut");
        }
        hindrances.addAll(rules.openBranches(state));
        if (state.isWaiting()) {
            hindrances.add("it waits for " + state.waitsFor().xid());
        }
        if (schema.isHeld(state.shard())) {
            hindrances.add("it waits at a statement, or an operator has to decide: see tributary ddl list");
        }
        if (!rules.isQuiet(state)) {
            hindrances.add("transactions are still logged there: no round was received after the last one");
        }
        return hindrances;
    }
}
