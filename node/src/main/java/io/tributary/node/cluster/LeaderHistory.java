package io.tributary.node.cluster;

import io.tributary.common.cluster.Leader;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.Optional;

/** Whom a Dumper copied last, and for how long that one may rely on what it was told. For one thread. */
public final class LastLeader {
    /** A leader, and where it is copied. */
    public interface Place {
        Leader leader();

        /** Whether it is known there that no process listens: of one that has listened, that it is gone. */
        boolean isRefused();
    }

    private final Duration lease;
    private final Clock clock;
    private Optional<Place> heard = Optional.empty(); // empty since this Dumper has stood
    private long
            confirmedNanos; // nothing sent later was confirmed; what an earlier process confirmed was before this one
    private boolean owesNothing; // whether the process that it copied last is known to be gone

    /** Of a process that has just begun: what an earlier one confirmed it does not know. */
    public LastLeader(Duration lease, Clock clock) {
        this.lease = lease;
        this.clock = clock;
        this.confirmedNanos = clock.nanoTime();
    }

    /** Whether that one was copied last, and this Dumper has not stood since. */
    public boolean is(Place place) {
        return heard.equals(Optional.of(place));
    }

    /** Who was copied last; empty since this Dumper has stood. */
    public Optional<Leader> leader() {
        return heard.map(Place::leader);
    }

    /** Another is copied from now on. */
    public void begins() {
        owesNothing = false;
    }

    /**
     * It was copied.
     *
     * @param nanos when its newest message came
     */
    public void confirmed(Place place, long nanos) {
        heard = Optional.of(place);
        confirmedNanos = nanos - confirmedNanos > 0 ? nanos : confirmedNanos;
    }

    /** Copies from nobody from here on. Where the process that was copied last is gone, what was confirmed to it is no lease to wait for. */
    public void forget() {
        if (heard.isPresent() && heard.get().isRefused()) {
            owesNothing = true;
        }
        heard = Optional.empty();
    }

    /** For how long from now on a leader may rely on what this Dumper confirmed to it. */
    public Duration bound() {
        long since = clock.nanoTime() - confirmedNanos;
        return owesNothing ? Duration.ZERO : Duration.ofNanos(Math.max(0, lease.toNanos() - since));
    }
}
