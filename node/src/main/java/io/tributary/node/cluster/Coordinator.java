package io.tributary.node.cluster;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.Members;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where the nodes of a cluster meet. Methods that ask throw CLUSTER_UNREACHABLE when there is no answer; they may block for about a
 * lease. What {@link #members()}, {@link #leadership()} and {@link #claims()} say is what was heard last, and is there without asking.
 */
public interface Coordinator extends AutoCloseable {
    /**
     * Makes sure that all who meet here are of one cluster: the first one says which.
     *
     * @param kept the UUID of the binlog that this node has; empty for none
     * @param fresh for a new cluster
     * @return the UUID of the cluster's GTIDs
     * @throws io.tributary.common.error.TributaryException CLUSTER_MISMATCH when another cluster meets here
     */
    UUID identify(Optional<UUID> kept, UUID fresh);

    /** The UUID of the cluster's GTIDs; empty while no Dumper has said it. */
    Optional<UUID> identity();

    /**
     * Tells the others of this node, from now on.
     *
     * @throws io.tributary.common.error.TributaryException CLUSTER_MISMATCH when another node that runs has its id
     */
    void join(Member self);

    Members members();

    Leadership leadership();

    /** The leader as it surely was after the call began, asked for and not remembered. */
    Optional<Leader> askLeader();

    /** The newest epoch that was ever given to a leader, asked for and not remembered; 0 = none. */
    long newestEpoch();

    /**
     * Stands for election, or goes on standing: to be called again and again until there is a leader. The caller has stopped copying from
     * anybody before, and copies from nobody until it has called {@link #withdraw}.
     *
     * @param ours where its files end; the same as long as it stands
     * @param copy which copy of the binlog they are
     * @param bound for how long from the first call on a leader before may rely on what this node confirmed to it
     * @return the reign when it was elected
     */
    Optional<Reign> stand(LogPosition ours, String copy, Duration bound);

    /** Stands no more. */
    void withdraw();

    /** Whether any Dumper was ever elected here. */
    boolean hasElected();

    /** Has others elected at once: the caller knows that whoever led under this epoch is gone, or has ended its lease. */
    void depose(long epoch);

    /** Tells what this node does, until it is released or the node ends; wins over what another said. */
    void claim(String what, long epoch);

    void release(String what);

    List<Claim> claims();

    /**
     * An operator's wish: the leader of that epoch is to resign.
     *
     * @param epoch of the leader that is to resign
     * @param to who is to lead then; empty = any
     */
    record Move(long epoch, Optional<String> to) {}

    /** The newest wish. */
    Optional<Move> move();

    void askMove(Move move);

    @Override
    void close();
}
