package io.tributary.collector.order;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.metric.Count;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a coordinator did that two-phase commit excludes: counted and named, never silent. */
public final class Alarms {
    private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);

    private final Count lateBranches = new Count();
    private final Count mixedOutcomes = new Count();
    private final Count xidsUsedAgain = new Count();

    /** XIDs that were used again before the transaction that used them first was emitted. */
    public Count xidsUsedAgain() {
        return xidsUsedAgain;
    }

    /** Branches that came after their transaction had been emitted. */
    public Count lateBranches() {
        return lateBranches;
    }

    /** Branches rolled back although others committed. */
    public Count mixedOutcomes() {
        return mixedOutcomes;
    }

    void lateBranch(Branch branch) {
        lateBranches.add(1);
        LOG.warn(
                "XA branch {} on shard {} was prepared at {} after other branches of its transaction had committed; its"
                        + " transaction was emitted without it and the branch comes out alone: check the coordinator (or it used the gtrid again at once)",
                branch.xid(),
                branch.line().shardName(),
                place(branch));
    }

    void xidUsedAgain() {
        xidsUsedAgain.add(1);
    }

    void mixedOutcome(Branch branch) {
        mixedOutcomes.add(1);
        LOG.warn(
                "XA branch {} on shard {} was rolled back although other branches of its transaction committed; the"
                        + " committed ones are emitted: check the coordinator",
                branch.xid(),
                branch.line().shardName());
    }

    private static String place(Branch branch) {
        return branch.prepare().file() + " before " + branch.prepare().end() + " ("
                + Gtid.text(branch.prepare().sid(), branch.prepare().gno()) + ")";
    }
}
