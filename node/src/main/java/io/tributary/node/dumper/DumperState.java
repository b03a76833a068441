package io.tributary.node.dumper;

import io.tributary.node.status.DumperStatus;
import java.util.Optional;

/**
 * State of a Dumper. A Dumper without a coordinator is {@link StandaloneState} from its start to its end. A Dumper of a cluster changes its state;
 * {@link DumperStateMachine} draws how.
 */
sealed interface DumperState permits StandaloneState, CandidateState, FollowerState, LeaderState {
    /** Does what is due; called repeatedly by the Dumper's thread while a pipeline runs. */
    void poll();

    /** A number that grows when more data becomes durable on this Dumper. */
    long progress();

    /** The server of readers; empty if readers may not connect to this node now. */
    Optional<ReaderService> readerService();

    /** For operators; empty before the files are recovered. */
    Optional<DumperStatus> status();
}
