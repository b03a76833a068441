package io.tributary.node.cluster;

import io.tributary.common.cluster.TimedLease;
import io.tributary.common.pipeline.Stage;
import java.util.Optional;

/** This node leads: from its election until the lease has run out or it resigns. */
public interface Reign extends AutoCloseable {
    /** Under which it leads; no other leader ever has it. */
    long epoch();

    /** Asked before each act. Followers' words prove it too, see {@link TimedLease#prove}. */
    TimedLease lease();

    /**
     * Who counts in the next election; empty while nothing was acknowledged. With {@link #change} for one thread; may block.
     *
     * @throws io.tributary.common.error.TributaryException CLUSTER_UNREACHABLE
     */
    Optional<Electors> electors();

    /**
     * Others count in the next election. What was acknowledged before has to be on as many of them as they say, and while this is asked nothing
     * may be acknowledged but by those who count both before and after.
     *
     * @return whether it is so now; otherwise it has to be asked who counts
     * @throws io.tributary.common.error.TributaryException CLUSTER_UNREACHABLE, and it is not known
     */
    boolean change(Electors to);

    /**
     * Keeps proving that nobody else leads; to be run as long as it leads.
     *
     * @return fails with EPOCH_OVER when the lease is over
     */
    Stage pulse();

    /** Resigns: the lease is over, and others may be elected at once. Nothing may be written any more. */
    @Override
    void close();
}
