package io.tributary.node.role;

import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.Resignation;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a Dumper gives the lead up, for another one that may do better: others are elected at once, whatever hangs here, and as their logs may be
 * shorter this one does not stand for a while. Lives as long as its node; any thread.
 */
final class Resigning {
    private static final Logger LOG = LoggerFactory.getLogger(Resigning.class);

    private final Coordinator coordinator;
    private final Resignation resignation;
    private final LongSupplier unreachedNanos;
    private final long asideNanos;
    private final Clock clock;
    private boolean abstains;
    private long abstainsUntil;

    /**
     * @param unreachedNanos for how long this node has reached no Task, ns
     * @param lease two of them it does not stand
     */
    Resigning(
            Coordinator coordinator,
            Resignation resignation,
            LongSupplier unreachedNanos,
            Duration lease,
            Clock clock) {
        this.coordinator = coordinator;
        this.resignation = resignation;
        this.unreachedNanos = unreachedNanos;
        this.asideNanos = 2 * lease.toNanos();
        this.clock = clock;
    }

    /** This node is about to lead. */
    void leads() {
        resignation.leads();
    }

    synchronized boolean mayStand() {
        abstains = abstains && clock.nanoTime() - abstainsUntil < 0;
        return !abstains;
    }

    /** Has it resign where it cannot do its work and others could; whether it does. May block for about a lease. */
    boolean resigns(Reigning leads) {
        Optional<String> why = leads.holds() ? leads.reason(resignation, unreachedNanos.getAsLong()) : Optional.empty();
        if (why.isPresent()) {
            LOG.warn(
                    "resigns from epoch {}, for another Dumper may do better: {} (cluster.resign)",
                    leads.epoch(),
                    why.get());
            resignation.resigns();
            standAside(leads);
        }
        return why.isPresent();
    }

    /**
     * It leads no more, and others may be elected when this returns: its own threads may still wait for a disk then, and neither write nor
     * acknowledge anything afterwards. May block for about a lease.
     */
    void standAside(Reigning leads) {
        synchronized (this) {
            abstains = true;
            abstainsUntil = clock.nanoTime() + asideNanos;
        }
        leads.ends();
        coordinator.depose(leads.epoch());
        leads.letReadersGo();
    }
}
