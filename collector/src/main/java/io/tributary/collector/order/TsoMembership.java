package io.tributary.collector.order;

import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * `tso`: the set of shards that have to pass a TSO, and how it changes at a round.
 *
 * <p>A shard comes in three steps. It is expected: from then on no TSO is complete above those that the others have passed by then.
 * Whatever has a smaller one was prepared on every shard before, so what is prepared there from now on has not come out. Then
 * the position is chosen from which on it counts. Then it is read up to that position, from before it; with its first round behind it
 * stands in the cut, and the others go on. A shard goes as {@link TsoLeaving} says.
 */
final class TsoMembership implements Membership {
    private final ShardLines lines;
    private final TsoWatermarks watermarks;
    private final SchemaOrder schema;
    private final Map<Integer, TsoArrival> arriving = new HashMap<>();
    private final Map<Integer, TsoLeaving> leaving = new HashMap<>();
    private final Map<Integer, ShardCut> left = new HashMap<>();

    TsoMembership(ShardLines lines, TsoWatermarks watermarks, SchemaOrder schema) {
        this.lines = lines;
        this.watermarks = watermarks;
        this.schema = schema;
    }

    // ---- coming

    @Override
    public int expect() {
        watermarks.demand();
        return lines.expect();
    }

    @Override
    public boolean giveUp(int shard) {
        if (lines.get(shard) != null) {
            return false;
        }
        TsoArrival arrival = arriving.remove(shard);
        if (arrival != null) {
            arrival.close();
        }
        watermarks.release(shard);
        return true;
    }

    /** It stands in no cut before all up to its frontier has been read, so there is never anything to be read again. */
    @Override
    public void join(int shard, ShardCut from) {
        arriving.put(shard, new TsoArrival(from));
    }

    @Override
    public boolean isJoined(int shard) {
        return lines.get(shard) != null;
    }

    /**
     * A token came from a shard that is not among the lines: it arrives, or has left.
     *
     * @return what counts from now on: with it the shard has joined; empty as long as it has not
     */
    List<Token> received(Token token) {
        TsoArrival arrival = arriving.get(token.shard());
        if (arrival == null) {
            token.release();
            return List.of();
        }
        if (!arrival.take(token)) {
            return List.of();
        }
        arriving.remove(token.shard());
        schema.join(token.shard(), arrival.cut());
        lines.join(token.shard(), arrival.cut());
        arrival.hadBefore().forEach(ddl -> schema.changes().hadBefore(ddl, token.shard()));
        schema.changes().joined(token.shard());
        return arrival.kept();
    }

    // ---- going

    @Override
    public void askToLeave(int shard, long afterRound) {
        leaving.put(shard, new TsoLeaving(afterRound));
    }

    @Override
    public void stay(int shard) {
        leaving.remove(shard);
    }

    @Override
    public ShardCut left(int shard) {
        return left.get(shard);
    }

    /**
     * A round of a shard has been processed.
     *
     * @return whether the shard has left with it
     */
    boolean leaves(ShardLine line, Token round) {
        TsoLeaving goes = leaving.get(line.shard());
        if (goes == null || !goes.mayLeaveAt(round, line.cut().frontier())) {
            return false;
        }
        leaving.remove(line.shard());
        left.put(line.shard(), line.cut());
        lines.leave(line);
        schema.leave(line.shard());
        watermarks.release(line.shard());
        return true;
    }

    @Override
    public List<String> hindrances(int shard) {
        TsoLeaving goes = leaving.get(shard);
        return goes == null ? List.of() : goes.hindrances();
    }

    /** Gives back the payload of shards that have not joined. */
    void close() {
        arriving.values().forEach(TsoArrival::close);
        arriving.clear();
    }
}
