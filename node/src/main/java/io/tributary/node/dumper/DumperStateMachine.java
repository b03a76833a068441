package io.tributary.node.dumper;

import io.tributary.binlog.file.FileOffset;
import io.tributary.common.cluster.Quorum;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.process.FailureSink;
import java.util.Optional;

/**
 * The state of a Dumper of a cluster, and all its transitions. One thread makes the transitions; any thread reads the state.
 *
 * <pre>
 *                lead: it was elected
 *              ------------------------------&gt;
 *   Candidate                                   Leading      outlives the pipelines that write
 *              &lt;------------------------------
 *                endTerm: it has resigned, its lease has ended, or the node stops
 *
 *                follow: another Dumper leads
 *              ------------------------------&gt;
 *   Candidate                                   Following    one connection to one leader
 *              &lt;------------------------------
 *                unfollow: there is another leader, or the connection broke
 *
 *   Standalone                                               a Dumper without a coordinator; it has no transition
 * </pre>
 *
 * There is no transition between Leading and Following: a Dumper copies from nobody while it is a candidate.
 */
final class DumperStateMachine {
    private final DumperServices services;
    private final Coordinator coordinator;
    private volatile DumperState state = new CandidateState();

    /** Position up to which readers of any node may have read, as far as this process knows. */
    private FileOffset readableEnd = FileOffset.NONE;

    DumperStateMachine(DumperServices services, Coordinator coordinator) {
        this.services = services;
        this.coordinator = coordinator;
    }

    /** The current state; any thread. */
    DumperState state() {
        return state;
    }

    /** The state of the leader; empty while this Dumper does not lead. Any thread. */
    Optional<LeaderState> leading() {
        return state instanceof LeaderState leader ? Optional.of(leader) : Optional.empty();
    }

    /**
     * From Candidate to Leading.
     *
     * @param won the term for which this Dumper was elected
     */
    LeaderState lead(LeaderTerm won, Quorum quorum, LeaderResigner resigner) {
        require(CandidateState.class);
        LeaderState leader = new LeaderState(services, won, quorum, coordinator.members(), resigner);
        state = leader;
        return leader;
    }

    /** From Leading to Candidate: closes what belongs to the term. */
    void endTerm() {
        LeaderState ended = (LeaderState) require(LeaderState.class);
        state = new CandidateState();
        readableEnd = ended.readableEnd().compareTo(readableEnd) > 0 ? ended.readableEnd() : readableEnd;
        ended.close();
    }

    /**
     * From Candidate to Following.
     *
     * @param failure notified when the leader's term is over, or the connection breaks
     */
    FollowerState follow(LeaderAddress leader, FailureSink failure) {
        require(CandidateState.class);
        FollowerState follower = new FollowerState(services, leader, readableEnd, coordinator.leadership(), failure);
        state = follower;
        return follower;
    }

    /** From Following to Candidate: ends copying. */
    void unfollow() {
        FollowerState ended = (FollowerState) require(FollowerState.class);
        state = new CandidateState();
        ended.close();
        readableEnd = ended.log().acknowledged();
    }

    private DumperState require(Class<? extends DumperState> from) {
        DumperState now = state;
        if (!from.isInstance(now)) {
            throw new IllegalStateException("expected " + from.getSimpleName() + ", found " + now);
        }
        return now;
    }
}
