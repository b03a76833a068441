package io.tributary.node.apply;

import io.tributary.apply.ApplyPosition;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How far the target is, and how far it is behind the node. Any thread. */
final class ApplyLag {
    private static final double MICROS = TimeUnit.SECONDS.toMicros(1);

    private final Supplier<ApplyPosition> position;
    private final LongSupplier newestOfNode;
    private final Clock clock;
    private volatile long newestMicros; // of the last transaction that was read by any run; 0 = not known

    /**
     * @param position of the newest run
     * @param newestOfNode number of the node's last transaction; {@link NewestOfNode#UNKNOWN} if it does not answer
     */
    ApplyLag(Supplier<ApplyPosition> position, LongSupplier newestOfNode, Clock clock) {
        this.position = position;
        this.newestOfNode = newestOfNode;
        this.clock = clock;
    }

    /** Keeps the time of the last transaction that was read, for the time after the run; called often. */
    void remember() {
        ReplayTransaction newest = position.get().newest();
        if (newest != null && newest.committedMicros() > 0) {
            newestMicros = newest.committedMicros();
        }
    }

    /** What the target has executed: at the beginning of the newest run, and all that it has applied up to its oldest unfinished transaction. */
    GtidSet executed() {
        ApplyPosition now = position.get();
        long applied = applied(now);
        return now.newest() == null || applied == 0
                ? now.executed()
                : now.executed().toBuilder()
                        .addRange(now.newest().gtid().sid(), 1, applied)
                        .build();
    }

    /** The last transaction before which all are applied; empty if this run has read none. */
    Optional<Gtid> newest() {
        ApplyPosition now = position.get();
        long applied = applied(now);
        return now.newest() == null || applied == 0
                ? Optional.empty()
                : Optional.of(new Gtid(now.newest().gtid().sid(), applied));
    }

    /** The number of the last transaction up to which all are applied; 0 if there is none. */
    private static long applied(ApplyPosition now) {
        if (now.oldest() != null) {
            return now.oldest().gtid().gno() - 1;
        }
        if (now.newest() != null) {
            return now.newest().gtid().gno();
        }
        long last = 0;
        for (Sid sid : now.executed().sids()) {
            last = Math.max(last, now.executed().last(sid));
        }
        return last;
    }

    /** Transactions that the node has and the target has not; NaN if it is not known. */
    double transactions() {
        ApplyPosition now = position.get();
        long last = newestOfNode.getAsLong();
        return last == NewestOfNode.UNKNOWN || now.equals(ApplyPosition.NONE)
                ? Double.NaN
                : Math.max(0, last - applied(now));
    }

    /**
     * The age of the oldest transaction that was read and has not committed. If there is none: 0 if the node has no newer one, else the age of the last
     * one. NaN if it is not known.
     */
    double seconds() {
        remember();
        ReplayTransaction oldest = position.get().oldest();
        if (oldest != null) {
            return age(oldest.committedMicros());
        }
        double behind = transactions();
        return Double.isNaN(behind) ? Double.NaN : behind == 0 ? 0 : age(newestMicros);
    }

    private double age(long micros) {
        return micros == 0 ? Double.NaN : Math.max(0, clock.epochMicros() - micros) / MICROS;
    }
}
