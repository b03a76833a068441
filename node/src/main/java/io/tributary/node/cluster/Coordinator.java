package io.tributary.node.cluster;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Members;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Shared state of a cluster: members, leader, candidates and claims. Methods that query the coordinator throw CLUSTER_UNREACHABLE when there is
 * no answer; they may block for about one lease. {@link #members()}, {@link #leadership()} and {@link #claims()} return the state that was
 * received last and do not block.
 */
public interface Coordinator extends AutoCloseable {
    /**
     * Makes sure that all nodes that use this coordinator belong to one cluster. The first node defines it.
     *
     * @param kept the UUID of the binlog that this node has; empty for none
     * @param fresh the UUID for a new cluster
     * @return the UUID of the cluster's GTIDs
     * @throws io.tributary.common.error.TributaryException CLUSTER_MISMATCH when another cluster uses this path
     */
    UUID identify(Optional<UUID> kept, UUID fresh);

    /** The UUID of the cluster's GTIDs; empty until a Dumper has written it. */
    Optional<UUID> identity();

    /**
     * Registers this node as a member.
     *
     * @throws io.tributary.common.error.TributaryException CLUSTER_MISMATCH when another running node has its id
     */
    void join(ClusterMember self);

    Members members();

    Leadership leadership();

    /** The leader, read after the call began; never a cached value. */
    Optional<Leader> readLeader();

    /** The newest epoch that any leader had, read after the call began; never a cached value; 0 = none. */
    long newestEpoch();

    /**
     * Makes this node a candidate, or keeps it one: call it repeatedly until there is a leader. The caller must stop copying from any leader
     * before the first call, and must not copy again before it has called {@link #withdraw}.
     *
     * @param ours where its files end; does not change while it is a candidate
     * @param copy identity of its copy of the binlog
     * @param bound for how long after the first call an earlier leader may rely on what this node confirmed to it
     * @return the leader term if this node was elected
     */
    Optional<LeaderTerm> campaign(LogPosition ours, String copy, Duration bound);

    /** Ends the candidacy. */
    void withdraw();

    /** Whether any Dumper was ever elected here. */
    boolean hasElected();

    /** Lets others be elected at once: the caller knows that the leader of this epoch is gone or has ended its lease. */
    void supersede(long epoch);

    /** Publishes work of this node until {@link #release} or until the node ends; replaces another node's claim to it. */
    void claim(String what, long epoch);

    void release(String what);

    List<Claim> claims();

    /**
     * An operator's request that the leader of that epoch resigns.
     *
     * @param epoch of the leader that has to resign
     * @param to the node that is preferred as the next leader; empty = any
     */
    record Move(long epoch, Optional<String> to) {}

    /** The newest request of an operator. */
    Optional<Move> move();

    void requestMove(Move move);

    @Override
    void close();
}
