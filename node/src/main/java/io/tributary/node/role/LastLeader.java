package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.Optional;

/** Whom a Dumper copied last, and for how long that one may rely on what it was told. For one thread. */
final class LastLeader {
    private final Duration lease;
    private final Clock clock;
    private Optional<LeaderPlace> heard = Optional.empty(); // empty since this Dumper has stood
    private long
            confirmedNanos; // nothing sent later was confirmed; what an earlier process confirmed was before this one
    private boolean owesNothing; // whether the process that it copied last is known to be gone

    LastLeader(Duration lease, Clock clock) {
        this.lease = lease;
        this.clock = clock;
        this.confirmedNanos = clock.nanoTime();
    }

    boolean is(LeaderPlace place) {
        return heard.equals(Optional.of(place));
    }

    Optional<Leader> leader() {
        return heard.map(LeaderPlace::leader);
    }

    /** Another is copied from now on. */
    void begins() {
        owesNothing = false;
    }

    /**
     * It was copied.
     *
     * @param nanos when its newest message came
     */
    void confirmed(LeaderPlace place, long nanos) {
        heard = Optional.of(place);
        confirmedNanos = nanos - confirmedNanos > 0 ? nanos : confirmedNanos;
    }

    /** Copies from nobody from here on. Where the process that was copied last is gone, what was confirmed to it is no lease to wait for. */
    void forget() {
        if (heard.isPresent() && heard.get().isRefused()) {
            owesNothing = true;
        }
        heard = Optional.empty();
    }

    /** For how long from now on a leader may rely on what this Dumper confirmed to it. */
    Duration bound() {
        long since = clock.nanoTime() - confirmedNanos;
        return owesNothing ? Duration.ZERO : Duration.ofNanos(Math.max(0, lease.toNanos() - since));
    }
}
