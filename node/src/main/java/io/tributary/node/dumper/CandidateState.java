package io.tributary.node.dumper;

import io.tributary.node.status.DumperStatus;
import java.util.Optional;

/** State of a Dumper of a cluster that neither leads nor follows: it is a candidate, or looks for the leader. */
record CandidateState() implements DumperState {
    @Override
    public void poll() {}

    @Override
    public long progress() {
        return 0;
    }

    @Override
    public Optional<ReaderService> readerService() {
        return Optional.empty();
    }

    @Override
    public Optional<DumperStatus> status() {
        return Optional.of(new DumperStatus.Electing());
    }
}
