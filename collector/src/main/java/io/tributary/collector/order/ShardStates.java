package io.tributary.collector.order;

import io.tributary.collector.schema.Questions;
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
 * All shards, and what a cut says of them: made from one, and giving the next. A shard keeps its index as long as this lives, and no
 * other one gets it; in a cut the shards that are there now are numbered anew.
 */
final class ShardLines {
    /** By index; null for a shard that is only expected, or has left. */
    private final List<ShardLine> lines = new ArrayList<>();

    private final boolean rereadsPending;
    private final Function<String, HeldTokens> held;
    private final Questions questions;

    /** Branches of emitted transactions whose commit has not been processed. */
    private final Chain<Branch> open = new Chain<>();

    private int behind;

    /**
     * @param held where to say how many tokens of a shard wait, by its name
     * @param questions know all shards of the cut
     */
    ShardLines(Cut start, boolean rereadsPending, Function<String, HeldTokens> held, Questions questions) {
        this.questions = questions;
        this.rereadsPending = rereadsPending;
        this.held = held;
        for (ShardCut each : start.shards()) {
            join(expect(), each);
        }
        for (OpenBranch each : start.open()) {
            ShardLine line = lines.get(each.shard());
            Branch branch = new Branch(line, each.xid(), null, null);
            line.undecided().put(each.xid(), branch);
            open.append(branch);
        }
    }

    /** Keeps an index for a shard that is to come. */
    int expect() {
        lines.add(null);
        return lines.size() - 1;
    }

    /** A shard that was expected is there. */
    ShardLine join(int shard, ShardCut from) {
        ShardLine line = new ShardLine(shard, from, rereadsPending, held.apply(from.name()), questions);
        lines.set(shard, line);
        behind += line.isCaughtUp() ? 0 : 1;
        return line;
    }

    /** A shard that has been read up to the frontier of its cut, and has no branches, is there no more. */
    void leave(ShardLine line) {
        lines.set(line.shard(), null);
    }

    /** Null for a shard that is only expected, or has left. */
    ShardLine get(int shard) {
        return lines.get(shard);
    }

    /** One above the highest index. */
    int indexes() {
        return lines.size();
    }

    /** How many there are. */
    int count() {
        int count = 0;
        for (ShardLine line : lines) {
            count += line == null ? 0 : 1;
        }
        return count;
    }

    void forEach(Consumer<ShardLine> action) {
        for (ShardLine line : lines) {
            if (line != null) {
                action.accept(line);
            }
        }
    }

    /** Whether every shard has been read again up to the frontier of the cut. */
    boolean areCaughtUp() {
        return behind == 0;
    }

    /** One token below the frontier was read again; true when it was the last of all. */
    boolean rereadOne(ShardLine line) {
        return line.rereadOne() && --behind == 0;
    }

    /** The branches of a transaction that has just been emitted. */
    void open(List<Branch> branches) {
        for (Branch branch : branches) {
            branch.forgetTokens();
            branch.line().pendingChanged();
            open.append(branch);
        }
    }

    /** @param schema what the cut says of schema changes, given the place of each shard in its list */
    Cut cut(long epoch, long number, long transactions, long tableIds, Function<int[], SchemaState> schema) {
        List<ShardCut> shards = new ArrayList<>(lines.size());
        int[] places = new int[lines.size()];
        for (ShardLine line : lines) {
            if (line != null) {
                places[line.shard()] = shards.size();
                shards.add(line.cut());
            }
        }
        Set<OpenBranch> openBranches = open.first() == null ? Set.of() : new HashSet<>();
        for (Branch branch = open.first(); branch != null; branch = branch.next()) {
            openBranches.add(new OpenBranch(branch.xid(), places[branch.shard()]));
        }
        return new Cut(epoch, number, transactions, tableIds, shards, openBranches, schema.apply(places));
    }
}
