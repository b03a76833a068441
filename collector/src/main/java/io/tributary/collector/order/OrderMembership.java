package io.tributary.collector.order;

import io.tributary.common.value.Cut.ShardCut;
import java.util.List;

/** The set of shards whose transactions are ordered; it changes at a round while the others continue (docs/ordering.md). */
public interface OrderMembership {
    /**
     * Expects a shard to join. From now on no transaction is emitted in which it could have a part, until it has joined.
     *
     * @return its index, which its tokens will carry
     */
    int expect();

    /**
     * A shard that was expected does not join: the others continue without it.
     *
     * @return false if it has joined already
     */
    boolean cancelJoin(int shard);

    /**
     * A shard that was expected counts from now on.
     *
     * @param from its frontier was chosen after {@link #expect}. Every branch that is undecided there was prepared after its resume position and
     *     after {@link #expect}. There is no round between the frontier and the first round of this writer
     */
    void join(int shard, ShardCut from);

    /** Whether a shard that joined is in the cut and has sent its first round, so that the others do not wait for it any more. */
    boolean isJoined(int shard);

    /** Lets a shard leave at a round after this one, as soon as nothing prevents it. */
    void requestLeave(int shard, long afterRound);

    /** Cancels the leaving of a shard that has not left yet. */
    void cancelLeave(int shard);

    /** How far a shard that has left was read; null if it has not left. */
    ShardCut left(int shard);

    /** The reasons why a shard cannot leave yet, as text; empty if it can leave at the next round. */
    List<String> hindrances(int shard);
}
