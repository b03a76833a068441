package io.tributary.collector.order;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.metric.Count;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs violations of two-phase commit by a coordinator. */
public final class ProtocolViolations {
    private static final Logger LOG = LoggerFactory.getLogger(ProtocolViolations.class);

    private final Count lateBranches = new Count();
    private final Count mixedOutcomes = new Count();
    private final Count xidsUsedAgain = new Count();

    /** XIDs that were used again before the transaction that used them first was emitted. */
    public Count xidsUsedAgain() {
        return xidsUsedAgain;
    }

    /** Branches that were prepared after their transaction had been emitted. */
    public Count lateBranches() {
        return lateBranches;
    }

    /** Branches that were rolled back although others committed. */
    public Count mixedOutcomes() {
        return mixedOutcomes;
    }

    public void lateBranch(Branch branch) {
        lateBranches.add(1);
        LOG.warn(
                "branch prepared after the commit of its transaction: xid={} shard={} position=\"{}\" effect=\"its"
                        + " transaction was written without it, it is written alone\" action=\"check the coordinator,"
                        + " unless it used the gtrid again at once\"",
                branch.xid(),
                branch.shardState().shardName(),
                place(branch));
    }

    public void xidUsedAgain() {
        xidsUsedAgain.add(1);
    }

    public void mixedOutcome(Branch branch) {
        mixedOutcomes.add(1);
        LOG.warn(
                "branch rolled back although other branches committed: xid={} shard={} effect=\"the committed"
                        + " branches are written\" action=\"check the coordinator\"",
                branch.xid(),
                branch.shardState().shardName());
    }

    private static String place(Branch branch) {
        return branch.prepare().file() + " before " + branch.prepare().end() + " ("
                + Gtid.text(branch.prepare().sid(), branch.prepare().gno()) + ")";
    }
}
