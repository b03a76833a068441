package io.tributary.collector.order.xa;

import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.ShardState;
import io.tributary.common.value.Token;
import java.util.List;

/** The decisions on which the correctness of `xa` order depends: when a transaction is complete, and when a shard may leave. */
public interface XaRules {
    /**
     * The round that a transaction needs from every shard before it is complete.
     *
     * @param windowEnd the first round that a shard logged after it had committed its branch
     */
    long neededRound(long windowEnd);

    /** Whether everything before the PREPAREs of a transaction has been processed. */
    boolean isReady(DistributedTransaction transaction);

    /** The open branches because of which a shard cannot leave yet, as text. */
    List<String> openBranches(ShardState shard);

    /** Whether a shard is at a place where it may leave: it has just processed this token. */
    boolean mayLeaveAt(ShardState shard, Token processed);

    /** Whether a shard logs nothing but rounds since it was asked to leave. */
    boolean isQuiet(ShardState shard);
}
