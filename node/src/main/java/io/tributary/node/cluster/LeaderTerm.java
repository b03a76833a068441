package io.tributary.node.cluster;

import io.tributary.common.cluster.TimedLease;
import io.tributary.common.pipeline.Stage;
import java.util.Optional;

/** Leader term of this node: from its election until its lease expires or it resigns. */
public interface LeaderTerm extends AutoCloseable {
    /** The epoch of this term; no other leader ever has it. */
    long epoch();

    /** The lease, checked before each action. Followers' messages extend it too, see {@link TimedLease#prove}. */
    TimedLease lease();

    /**
     * The voters of the next election; empty while nothing was acknowledged. Use it and {@link #change} on one thread; may block.
     *
     * @throws io.tributary.common.error.TributaryException CLUSTER_UNREACHABLE
     */
    Optional<Voters> voters();

    /**
     * Changes the voters of the next election. Everything acknowledged before must be on as many of the new voters as they state
     * ({@link Voters#copies}). During the call only acknowledgements of Dumpers that are voters both before and after may count.
     *
     * @return whether the change was made; if not, read {@link #voters} again
     * @throws io.tributary.common.error.TributaryException CLUSTER_UNREACHABLE; then it is not known whether the change was made
     */
    boolean change(Voters to);

    /**
     * The stage that repeatedly proves that no other node leads. Run it as long as this node leads.
     *
     * @return a stage that fails with EPOCH_OVER when the lease is over
     */
    Stage pulse();

    /** Resigns: ends the lease, and others may be elected at once. Nothing may be written after this call. */
    @Override
    void close();
}
