package io.tributary.collector.order;

import io.tributary.common.value.Cut.ShardCut;
import java.util.List;

/** The set of shards that an order puts together, and how it changes, at a round, while the order goes on (docs/ordering.md). */
public interface Membership {
    /**
     * A shard is to come: from now on nothing comes out of which it could have a part, until it has had its say.
     *
     * @return its index, which its tokens will carry
     */
    int expect();

    /**
     * A shard that was expected does not come: the others go on without it.
     *
     * @return false when it is there already
     */
    boolean giveUp(int shard);

    /**
     * A shard that was expected counts from here on.
     *
     * @param from its frontier was chosen after {@link #expect}; every branch that is not decided there was prepared behind its resume
     *     and after {@link #expect}, and no round stands between the frontier and the first round of this writer
     */
    void join(int shard, ShardCut from);

    /** Whether a shard that came stands in the cut, has sent its first round, and nobody waits for it any more. */
    boolean isJoined(int shard);

    /** Has a shard leave at a round above this one, as soon as nothing hinders it. */
    void askToLeave(int shard, long afterRound);

    /** Has a shard that has not left stay. */
    void stay(int shard);

    /** How far a shard was read that has left; null when it has not. */
    ShardCut left(int shard);

    /** What keeps a shard from leaving, in words; empty when the next round will do. */
    List<String> hindrances(int shard);
}
