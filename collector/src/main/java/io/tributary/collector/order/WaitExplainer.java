package io.tributary.collector.order;

import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;

/** Says in words what a distributed transaction waits for, and what an operator can do about it. */
final class Waits {
    private static final long NANOS_PER_MICRO = 1000;

    private final ShardLines lines;
    private final RoundWatch rounds;

    Waits(ShardLines lines, RoundWatch rounds) {
        this.lines = lines;
        this.rounds = rounds;
    }

    /** As {@link HeldTransaction#waitsFor()} says. */
    List<String> of(Distributed transaction) {
        List<String> waits = new ArrayList<>();
        for (Branch branch : transaction.branches()) {
            String shard = branch.line().shardName();
            if (!branch.isCommitted()) {
                waits.add("the decision on shard " + shard);
            } else if (branch.neededRound() == 0) {
                waits.add("the next heartbeat round of shard " + shard);
            }
            if (!branch.isReady()) {
                waits.add("the branch on shard " + shard + ", which is not ready behind " + ahead(branch.line()));
            }
        }
        addRounds(transaction, waits);
        lines.forEach(line -> {
            if (!line.isCaughtUp()) {
                waits.add("shard " + line.shardName() + " to be read again up to the frontier of the cut");
            }
        });
        if (!transaction.isItsTurn()) {
            waits.add("the use before it of the same XID");
        }
        return waits;
    }

    private void addRounds(Distributed transaction, List<String> waits) {
        long needed = transaction.neededRound();
        if (needed != 0 && !rounds.isReached(needed)) {
            lines.forEach(line -> {
                if (rounds.newest(line.shard()) < needed) {
                    waits.add("round " + needed + " of shard " + line.shardName() + ", which has sent round "
                            + rounds.newest(line.shard()));
                }
            });
        }
    }

    /** What stands first in a shard's queue. */
    private static String ahead(ShardLine line) {
        if (line.depth() == 0) {
            return "what is being read";
        }
        Token head = line.head();
        Distributed blocking = line.waitsFor();
        return "GTID " + Gtid.text(head.sid(), head.gno())
                + (blocking == null ? "" : ", the commit of XA " + blocking.xid() + " that waits itself");
    }

    /** As {@link HeldTransaction#remedies()} says; what two-phase commit asks for where a branch is decided already. */
    static List<String> remedies(Distributed transaction) {
        boolean hasCommitted = transaction.branches().stream().anyMatch(Branch::isCommitted);
        boolean hasRolledBack = !transaction.rolledBack().isEmpty();
        List<String> remedies = new ArrayList<>();
        for (Branch branch : transaction.branches()) {
            if (!branch.isCommitted()) {
                String commit = "XA COMMIT " + branch.xid();
                String rollback = "XA ROLLBACK " + branch.xid();
                String what = hasCommitted ? commit : hasRolledBack ? rollback : commit + " or " + rollback;
                remedies.add(what + " on shard " + branch.line().shardName());
            }
        }
        return remedies;
    }

    HeldTransaction held(Distributed transaction, long nanoTime, long epochMicros, boolean isInDoubt) {
        List<HeldBranch> branches = new ArrayList<>();
        List<String> unknownOn = new ArrayList<>();
        long ageMicros = (nanoTime - transaction.since()) / NANOS_PER_MICRO;
        for (Branch branch : transaction.branches()) {
            branches.add(held(branch));
            long prepared = branch.prepare().commitMicros();
            ageMicros = prepared == 0 ? ageMicros : Math.max(ageMicros, epochMicros - prepared);
        }
        for (Branch branch : transaction.rolledBack()) {
            branches.add(new HeldBranch(branch.line().shardName(), branch.xid(), State.ROLLED_BACK, null, 0, "", 0, 0));
        }
        lines.forEach(line -> {
            if (branches.stream().noneMatch(branch -> branch.shard().equals(line.shardName()))) {
                unknownOn.add(line.shardName());
            }
        });
        return new HeldTransaction(
                transaction.xid(), ageMicros, isInDoubt, branches, unknownOn, of(transaction), remedies(transaction));
    }

    private static HeldBranch held(Branch branch) {
        Token prepare = branch.prepare();
        return new HeldBranch(
                branch.line().shardName(),
                branch.xid(),
                branch.isCommitted() ? State.COMMITTED : State.PREPARED,
                prepare.sid(),
                prepare.gno(),
                prepare.before().file(),
                prepare.before().offset(),
                prepare.payload() == null ? 0 : prepare.payload().length());
    }
}
