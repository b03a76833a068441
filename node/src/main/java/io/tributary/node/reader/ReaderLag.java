package io.tributary.node.reader;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How far a reader is, and how far it is behind the node. Any thread. */
public final class ReaderLag {
    private static final double MICROS = TimeUnit.SECONDS.toMicros(1);

    private final Supplier<ReaderPlace> position;
    private final LongSupplier newestOfNode;
    private final Clock clock;
    private volatile long newestMicros; // of the last transaction that was read by any run; 0 = not known

    /**
     * @param position of the newest run
     * @param newestOfNode number of the node's last transaction; {@link NewestOfNode#UNKNOWN} if it does not answer
     */
    ReaderLag(Supplier<ReaderPlace> position, LongSupplier newestOfNode, Clock clock) {
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

    /** What is done: at the beginning of the newest run, and all that it has finished up to its oldest unfinished transaction. */
    GtidSet executed() {
        ReaderPlace now = position.get();
        long finished = finished(now);
        return now.newest() == null || finished == 0
                ? now.executed()
                : now.executed().toBuilder()
                        .addRange(now.newest().gtid().sid(), 1, finished)
                        .build();
    }

    /** The last transaction before which all are finished; empty if this run has read none. */
    Optional<Gtid> newest() {
        ReaderPlace now = position.get();
        long finished = finished(now);
        return now.newest() == null || finished == 0
                ? Optional.empty()
                : Optional.of(new Gtid(now.newest().gtid().sid(), finished));
    }

    /** The number of the last transaction up to which all are finished; 0 if there is none. */
    private static long finished(ReaderPlace now) {
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

    /** Transactions that the node has and that are not finished; NaN if it is not known. */
    public double transactions() {
        ReaderPlace now = position.get();
        long last = newestOfNode.getAsLong();
        return last == NewestOfNode.UNKNOWN || now.equals(ReaderPlace.NONE)
                ? Double.NaN
                : Math.max(0, last - finished(now));
    }

    /**
     * The age of the oldest transaction that was read and is not finished. If there is none: 0 if the node has no newer one, else the age of the last
     * one. NaN if it is not known.
     */
    public double seconds() {
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
