package io.tributary.collector.order;

import io.tributary.collector.schema.OpenQuestions;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.OpenBranch;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.SchemaState;
import io.tributary.store.HeldTokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All shards. They are created from a cut and provide the next one. A shard keeps its index as long as this object exists, and no other shard gets
 * that index; in a cut, the current shards are numbered again.
 */
public final class ShardStates {
    /** By index; null for a shard that is only expected or has left. */
    private final List<ShardState> states = new ArrayList<>();

    private final Function<String, HeldTokens> held;
    private final OpenQuestions questions;

    /** Branches of emitted transactions whose commit has not been processed. */
    private final IntrusiveList<Branch> open = new IntrusiveList<>();

    private int rereading;

    /**
     * @param start contains all shards in the order of their indexes
     * @param held where to report how many tokens of a shard wait, by its name
     * @param questions contain all shards of the cut
     */
    public ShardStates(Cut start, Function<String, HeldTokens> held, OpenQuestions questions) {
        this.questions = questions;
        this.held = held;
        for (ShardCut each : start.shards()) {
            join(expect(), each);
        }
        for (OpenBranch each : start.open()) {
            ShardState state = states.get(each.shard());
            Branch branch = new Branch(state, each.xid(), null, null);
            state.undecided().put(each.xid(), branch);
            open.append(branch);
        }
    }

    /** Reserves an index for a shard that is to join. */
    public int expect() {
        states.add(null);
        return states.size() - 1;
    }

    /** A shard that was expected has joined. */
    public ShardState join(int shard, ShardCut from) {
        ShardState state = new ShardState(shard, from, held.apply(from.name()), questions);
        states.set(shard, state);
        rereading += state.isCaughtUp() ? 0 : 1;
        return state;
    }

    /** Removes a shard that has been read up to the frontier of its cut and has no branches. */
    public void leave(ShardState state) {
        states.set(state.shard(), null);
    }

    /** Null for a shard that is only expected or has left. */
    public ShardState get(int shard) {
        return states.get(shard);
    }

    /** The highest index plus one. */
    public int indexes() {
        return states.size();
    }

    /** The newest round that was processed of each shard, by its index, as long as no shard has left. */
    public long[] rounds() {
        return states.stream().mapToLong(ShardState::round).toArray();
    }

    /** The number of current shards. */
    int count() {
        int count = 0;
        for (ShardState state : states) {
            count += state == null ? 0 : 1;
        }
        return count;
    }

    public void forEach(Consumer<ShardState> action) {
        for (ShardState state : states) {
            if (state != null) {
                action.accept(state);
            }
        }
    }

    /** Whether every shard has been read again up to the frontier of the cut. */
    public boolean areCaughtUp() {
        return rereading == 0;
    }

    /** One token before the frontier was read again; true if it was the last of all shards. */
    public boolean rereadOne(ShardState state) {
        return state.rereadOne() && --rereading == 0;
    }

    /** Adds the branches of a transaction that has just been emitted. */
    public void open(List<Branch> branches) {
        for (Branch branch : branches) {
            branch.forgetTokens();
            branch.shardState().pendingChanged();
            open.append(branch);
        }
    }

    /** @param schema the cut's state of schema changes, given the index of each shard in the cut's list */
    public Cut cut(long epoch, long number, long transactions, long tableIds, Function<int[], SchemaState> schema) {
        List<ShardCut> shards = new ArrayList<>(states.size());
        int[] places = new int[states.size()];
        for (ShardState state : states) {
            if (state != null) {
                places[state.shard()] = shards.size();
                shards.add(state.cut());
            }
        }
        Set<OpenBranch> openBranches = open.first() == null ? Set.of() : new HashSet<>();
        for (Branch branch = open.first(); branch != null; branch = branch.next()) {
            openBranches.add(new OpenBranch(branch.xid(), places[branch.shard()]));
        }
        return new Cut(
                epoch,
                number,
                new Cut.Sources(shards, openBranches),
                new Cut.OutputPoint(transactions, tableIds, 0),
                new Cut.SchemaPoint(schema.apply(places), 0));
    }
}
