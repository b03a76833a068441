package io.tributary.node.dumper;

import io.tributary.common.cluster.Leader;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.Optional;

/** Remembers the leader that a Dumper copied last, and for how long that leader may rely on this Dumper's confirmations. For one thread. */
public final class LeaderHistory {
    /** A leader, and the address from which it is copied. */
    public interface Place {
        Leader leader();

        /** Whether the connection was refused: a process that listened there before is gone. */
        boolean isRefused();
    }

    private final Duration lease;
    private final Clock clock;
    private Optional<Place> lastCopied = Optional.empty(); // empty since this Dumper was a candidate

    /** Receive time of the newest confirmed message; at first the start of this process, since an earlier process confirmed earlier ones. */
    private long confirmedNanos;

    private boolean owesNothing; // whether the process that it copied last is known to be gone

    /** For a process that has just started: it does not know what an earlier process confirmed. */
    public LeaderHistory(Duration lease, Clock clock) {
        this.lease = lease;
        this.clock = clock;
        this.confirmedNanos = clock.nanoTime();
    }

    /** Whether that leader was copied last, and this Dumper was not a candidate since. */
    public boolean is(Place place) {
        return lastCopied.equals(Optional.of(place));
    }

    /** The leader that was copied last; empty since this Dumper was a candidate. */
    public Optional<Leader> leader() {
        return lastCopied.map(Place::leader);
    }

    /** A new leader is copied from now on. */
    public void copyBegins() {
        owesNothing = false;
    }

    /**
     * Records that the leader was copied.
     *
     * @param nanos when its newest message was received
     */
    public void confirmed(Place place, long nanos) {
        lastCopied = Optional.of(place);
        confirmedNanos = nanos - confirmedNanos > 0 ? nanos : confirmedNanos;
    }

    /** No leader is copied from now on. If the process that was copied last is gone, there is no lease to wait for. */
    public void forget() {
        if (lastCopied.isPresent() && lastCopied.get().isRefused()) {
            owesNothing = true;
        }
        lastCopied = Optional.empty();
    }

    /** For how long from now a leader may rely on what this Dumper confirmed to it. */
    public Duration bound() {
        long since = clock.nanoTime() - confirmedNanos;
        return owesNothing ? Duration.ZERO : Duration.ofNanos(Math.max(0, lease.toNanos() - since));
    }
}
