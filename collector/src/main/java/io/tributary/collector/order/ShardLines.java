package io.tributary.collector.order;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.OpenBranch;
import io.tributary.common.value.Cut.PendingDdl;
import io.tributary.common.value.Cut.ShardCut;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** All shards, and what a cut says of them: made from one, and giving the next. */
final class ShardLines {
    private final List<ShardLine> lines = new ArrayList<>();

    /** Branches of emitted transactions whose commit has not been processed. */
    private final Chain<Branch> open = new Chain<>();

    private int behind;

    ShardLines(Cut start, boolean rereadsPending) {
        for (ShardCut each : start.shards()) {
            ShardLine line = new ShardLine(lines.size(), each, rereadsPending);
            lines.add(line);
            behind += line.isCaughtUp() ? 0 : 1;
        }
        for (OpenBranch each : start.open()) {
            ShardLine line = lines.get(each.shard());
            Branch branch = new Branch(line, each.xid(), null, null);
            line.undecided().put(each.xid(), branch);
            open.append(branch);
        }
    }

    ShardLine get(int shard) {
        return lines.get(shard);
    }

    void forEach(Consumer<ShardLine> action) {
        lines.forEach(action);
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

    Cut cut(long epoch, long number, long transactions, long tableIds, List<PendingDdl> ddls) {
        List<ShardCut> shards = new ArrayList<>(lines.size());
        for (ShardLine line : lines) {
            shards.add(line.cut());
        }
        Set<OpenBranch> openBranches = new HashSet<>();
        for (Branch branch = open.first(); branch != null; branch = branch.next()) {
            openBranches.add(new OpenBranch(branch.xid(), branch.shard()));
        }
        return new Cut(epoch, number, transactions, tableIds, shards, openBranches, ddls);
    }
}
