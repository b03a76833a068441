package io.tributary.collector.order;

import io.tributary.collector.order.xa.TwoPhaseCommitRules;
import io.tributary.collector.order.xa.XaRules;
import io.tributary.common.value.Token;
import java.util.List;

/** The rules of `xa` order, one of which is broken. */
enum XaRuleMutant implements XaRules {
    NO_ROUND_AFTER_THE_WINDOW {
        @Override
        public long neededRound(long windowEnd) {
            return windowEnd;
        }
    },
    EMITS_BEFORE_READY {
        @Override
        public boolean isReady(DistributedTransaction transaction) {
            return true;
        }
    },
    LEAVES_WITH_OPEN_BRANCHES {
        @Override
        public List<String> openBranches(ShardState shard) {
            return List.of();
        }
    },
    LEAVES_ANYWHERE {
        @Override
        public boolean mayLeaveAt(ShardState shard, Token processed) {
            return true;
        }

        @Override
        public boolean isQuiet(ShardState shard) {
            return true;
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // the rules have no state
    private final XaRules right = new TwoPhaseCommitRules();

    @Override
    public long neededRound(long windowEnd) {
        return right.neededRound(windowEnd);
    }

    @Override
    public boolean isReady(DistributedTransaction transaction) {
        return right.isReady(transaction);
    }

    @Override
    public List<String> openBranches(ShardState shard) {
        return right.openBranches(shard);
    }

    @Override
    public boolean mayLeaveAt(ShardState shard, Token processed) {
        return right.mayLeaveAt(shard, processed);
    }

    @Override
    public boolean isQuiet(ShardState shard) {
        return right.isQuiet(shard);
    }
}
