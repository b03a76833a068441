package io.tributary.collector.order.tso;

import io.tributary.collector.order.OrderMembership;
import io.tributary.collector.order.ShardState;
import io.tributary.collector.order.ShardStates;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * `tso`: the set of shards that have to pass a TSO, and how it changes at a round.
 *
 * <p>A shard joins in three steps. First it is expected: from then on no TSO is complete that is larger than those that the others have passed by
 * then. Transactions with a smaller TSO were prepared on every shard before, so nothing that is prepared there from now on has been emitted. Second,
 * the position is chosen from which it counts. Third, it is read up to that position, starting before it; with its first round after that position it
 * is in the cut, and the others continue. {@link TsoLeavingShard} defines how a shard leaves.
 */
final class TsoMembership implements OrderMembership {
    private final ShardStates states;
    private final TsoWatermarks watermarks;
    private final SchemaOrder schema;
    private final Map<Integer, TsoJoiningShard> arriving = new HashMap<>();
    private final Map<Integer, TsoLeavingShard> leaving = new HashMap<>();
    private final Map<Integer, ShardCut> left = new HashMap<>();

    TsoMembership(ShardStates states, TsoWatermarks watermarks, SchemaOrder schema) {
        this.states = states;
        this.watermarks = watermarks;
        this.schema = schema;
    }

    // ---- joining

    @Override
    public int expect() {
        watermarks.addShard();
        return states.expect();
    }

    @Override
    public boolean cancelJoin(int shard) {
        if (states.get(shard) != null) {
            return false;
        }
        TsoJoiningShard arrival = arriving.remove(shard);
        if (arrival != null) {
            arrival.close();
        }
        watermarks.removeShard(shard);
        return true;
    }

    /** A shard is in no cut before everything up to its frontier has been read, so nothing must ever be read again. */
    @Override
    public void join(int shard, ShardCut from) {
        arriving.put(shard, new TsoJoiningShard(from));
    }

    @Override
    public boolean isJoined(int shard) {
        return states.get(shard) != null;
    }

    /**
     * A token was received from a shard that is not in the order: it joins, or has left.
     *
     * @return the tokens that count from now on: with them the shard has joined; empty as long as it has not
     */
    List<Token> received(Token token) {
        TsoJoiningShard arrival = arriving.get(token.shard());
        if (arrival == null) {
            token.release();
            return List.of();
        }
        if (!arrival.accept(token)) {
            return List.of();
        }
        arriving.remove(token.shard());
        schema.join(token.shard(), arrival.cut());
        states.join(token.shard(), arrival.cut());
        arrival.hadBefore().forEach(ddl -> schema.changes().hadBefore(ddl, token.shard()));
        schema.changes().joined(token.shard());
        return arrival.kept();
    }

    // ---- leaving

    @Override
    public void requestLeave(int shard, long afterRound) {
        leaving.put(shard, new TsoLeavingShard(afterRound));
    }

    @Override
    public void cancelLeave(int shard) {
        leaving.remove(shard);
    }

    @Override
    public ShardCut left(int shard) {
        return left.get(shard);
    }

    /**
     * A round of a shard has been processed.
     *
     * @return whether the shard has left at it
     */
    boolean leaves(ShardState state, Token round) {
        TsoLeavingShard request = leaving.get(state.shard());
        if (request == null || !request.mayLeaveAt(round, state.cut().frontier())) {
            return false;
        }
        leaving.remove(state.shard());
        left.put(state.shard(), state.cut());
        states.leave(state);
        schema.leave(state.shard());
        watermarks.removeShard(state.shard());
        return true;
    }

    @Override
    public List<String> hindrances(int shard) {
        TsoLeavingShard request = leaving.get(shard);
        return request == null ? List.of() : request.hindrances();
    }

    /** Releases the payload of shards that have not joined. */
    void close() {
        arriving.values().forEach(TsoJoiningShard::close);
        arriving.clear();
    }
}
