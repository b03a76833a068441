package io.tributary.node.cluster;

import io.tributary.common.cluster.TimedLease;
import io.tributary.common.pipeline.Stage;

/** This node leads: from its election until the lease has run out or it resigns. */
public interface Reign extends AutoCloseable {
    /** Under which it leads; no other leader ever has it. */
    long epoch();

    /** Asked before each act. Followers' words prove it too, see {@link TimedLease#prove}. */
    TimedLease lease();

    /**
     * Keeps proving that nobody else leads; to be run as long as it leads.
     *
     * @return fails with LEADERSHIP_LOST when the lease is over
     */
    Stage pulse();

    /** Resigns: the lease is over, and others may be elected at once. Nothing may be written any more. */
    @Override
    void close();
}
