package io.tributary.collector.order;

import io.tributary.collector.order.HeldTransaction.Diagnosis;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;

/** Describes what a distributed transaction waits for, and what an operator can do about it. */
public final class WaitExplainer {
    private static final long NANOS_PER_MICRO = 1000;

    private final ShardStates states;
    private final RoundWatch rounds;

    public WaitExplainer(ShardStates states, RoundWatch rounds) {
        this.states = states;
        this.rounds = rounds;
    }

    /** See {@link Diagnosis#waitsFor()}. */
    List<String> of(DistributedTransaction transaction) {
        List<String> waits = new ArrayList<>();
        for (Branch branch : transaction.branches()) {
            String shard = branch.shardState().shardName();
            if (!branch.isCommitted()) {
                waits.add("the decision on shard " + shard);
            } else if (branch.neededRound() == 0) {
                waits.add("the next heartbeat round of shard " + shard);
            }
            if (!branch.isReady()) {
                waits.add("the branch on shard " + shard + ", which comes after " + ahead(branch.shardState()));
            }
        }
        addRounds(transaction, waits);
        states.forEach(state -> {
            if (!state.isCaughtUp()) {
                waits.add("shard " + state.shardName() + " to be read again up to the frontier of the cut");
            }
        });
        if (!transaction.isItsTurn()) {
            waits.add("the earlier use of the same XID");
        }
        return waits;
    }

    private void addRounds(DistributedTransaction transaction, List<String> waits) {
        long needed = transaction.neededRound();
        if (needed != 0 && !rounds.isReached(needed)) {
            states.forEach(state -> {
                if (rounds.newest(state.shard()) < needed) {
                    waits.add("round " + needed + " of shard " + state.shardName() + ", which has sent round "
                            + rounds.newest(state.shard()));
                }
            });
        }
    }

    /** The first token in a shard's queue, as text. */
    private static String ahead(ShardState state) {
        if (state.depth() == 0) {
            return "transactions that are being read";
        }
        Token head = state.head();
        DistributedTransaction blocking = state.waitsFor();
        return "GTID " + Gtid.text(head.sid(), head.gno())
                + (blocking == null ? "" : ", the commit of XA " + blocking.xid() + ", which waits too");
    }

    /** See {@link Diagnosis#remedies()}; the decision that two-phase commit requires if another branch is decided already. */
    static List<String> remedies(DistributedTransaction transaction) {
        boolean hasCommitted = transaction.branches().stream().anyMatch(Branch::isCommitted);
        boolean hasRolledBack = !transaction.rolledBack().isEmpty();
        List<String> remedies = new ArrayList<>();
        for (Branch branch : transaction.branches()) {
            if (!branch.isCommitted()) {
                String commit = "XA COMMIT " + branch.xid();
                String rollback = "XA ROLLBACK " + branch.xid();
                String what = hasCommitted ? commit : hasRolledBack ? rollback : commit + " or " + rollback;
                remedies.add(what + " on shard " + branch.shardState().shardName());
            }
        }
        return remedies;
    }

    HeldTransaction held(DistributedTransaction transaction, long nanoTime, long epochMicros, boolean isInDoubt) {
        List<HeldBranch> branches = new ArrayList<>();
        List<String> unknownOn = new ArrayList<>();
        long ageMicros = (nanoTime - transaction.since()) / NANOS_PER_MICRO;
        for (Branch branch : transaction.branches()) {
            branches.add(held(branch));
            long prepared = branch.prepare().commitMicros();
            ageMicros = prepared == 0 ? ageMicros : Math.max(ageMicros, epochMicros - prepared);
        }
        for (Branch branch : transaction.rolledBack()) {
            branches.add(new HeldBranch(
                    branch.shardState().shardName(), branch.xid(), State.ROLLED_BACK, null, 0, "", 0, 0));
        }
        states.forEach(state -> {
            if (branches.stream().noneMatch(branch -> branch.shard().equals(state.shardName()))) {
                unknownOn.add(state.shardName());
            }
        });
        Diagnosis diagnosis = new Diagnosis(unknownOn, of(transaction), remedies(transaction));
        return new HeldTransaction(transaction.xid(), ageMicros, isInDoubt, branches, diagnosis);
    }

    private static HeldBranch held(Branch branch) {
        Token prepare = branch.prepare();
        return new HeldBranch(
                branch.shardState().shardName(),
                branch.xid(),
                branch.isCommitted() ? State.COMMITTED : State.PREPARED,
                prepare.sid(),
                prepare.gno(),
                prepare.before().file(),
                prepare.before().offset(),
                prepare.payload() == null ? 0 : prepare.payload().length());
    }
}
