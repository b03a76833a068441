package io.tributary.node.dumper;

import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.ResignPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a leader resign, so that another Dumper takes over. Others can be elected at once, even if a thread of this node hangs. As their logs may
 * be shorter, this node is no candidate for some time. Exists as long as its node; for any thread.
 */
final class LeaderResigner {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderResigner.class);

    private final Coordinator coordinator;
    private final ResignPolicy policy;
    private final LongSupplier unreachedNanos;
    private final long abstainNanos;
    private final Clock clock;
    private boolean abstains;
    private long abstainsUntil;

    /**
     * @param unreachedNanos for how long this node has reached no Task, ns
     * @param lease this node is no candidate for two leases after it resigns
     */
    LeaderResigner(
            Coordinator coordinator, ResignPolicy policy, LongSupplier unreachedNanos, Duration lease, Clock clock) {
        this.coordinator = coordinator;
        this.policy = policy;
        this.unreachedNanos = unreachedNanos;
        this.abstainNanos = 2 * lease.toNanos();
        this.clock = clock;
    }

    /** This node is about to become leader. */
    void leads() {
        policy.leads();
    }

    synchronized boolean mayBeCandidate() {
        abstains = abstains && clock.nanoTime() - abstainsUntil < 0;
        return !abstains;
    }

    /** Resigns if this leader cannot do its work and others could; returns whether it resigned. May block for about one lease. */
    boolean resignIfNeeded(LeaderState leads) {
        Optional<String> reason = leads.holds() ? leads.reason(policy, unreachedNanos.getAsLong()) : Optional.empty();
        if (reason.isPresent()) {
            LOG.warn("leader resigns: epoch={} reason=\"{}\" key=cluster.resign", leads.epoch(), reason.get());
            policy.resigns();
            resign(leads);
        }
        return reason.isPresent();
    }

    /**
     * Ends the leader term. When this returns, others may be elected. Threads of this node may still wait for a disk then, but they write and
     * acknowledge nothing afterwards. May block for about one lease.
     */
    void resign(LeaderState leads) {
        synchronized (this) {
            abstains = true;
            abstainsUntil = clock.nanoTime() + abstainNanos;
        }
        leads.endLease();
        coordinator.supersede(leads.epoch());
        leads.closeReaders();
    }
}
