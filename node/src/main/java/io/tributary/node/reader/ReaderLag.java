package io.tributary.node.reader;

import io.tributary.common.pipeline.Clock;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How far a reader is behind the node. Any thread. */
public final class ReaderLag {
    private static final double MICROS = TimeUnit.SECONDS.toMicros(1);

    private final Supplier<ReaderPlace> place;
    private final LongSupplier newestOfNode;
    private final Clock clock;
    private volatile long newestMicros; // of the last transaction that was read by any run; 0 = not known

    /**
     * @param place of the newest run
     * @param newestOfNode number of the node's last transaction; {@link NewestOfNode#UNKNOWN} if it does not answer
     */
    ReaderLag(Supplier<ReaderPlace> place, LongSupplier newestOfNode, Clock clock) {
        this.place = place;
        this.newestOfNode = newestOfNode;
        this.clock = clock;
    }

    /** Keeps the time of the last transaction that was read, for the time after the run; called often. */
    void remember() {
        place.get().newest().ifPresent(micros -> newestMicros = micros > 0 ? micros : newestMicros);
    }

    /** Transactions that the node has and that are not finished; NaN if it is not known. */
    public double transactions() {
        ReaderPlace now = place.get();
        long last = newestOfNode.getAsLong();
        return last == NewestOfNode.UNKNOWN || now.equals(ReaderPlace.NONE)
                ? Double.NaN
                : Math.max(0, last - now.number());
    }

    /**
     * The age of the oldest transaction that was read and is not finished. If there is none: 0 if the node has no newer one, else the age of the last
     * one. NaN if it is not known.
     */
    public double seconds() {
        remember();
        OptionalLong oldest = place.get().oldest();
        if (oldest.isPresent()) {
            return age(oldest.getAsLong());
        }
        double behind = transactions();
        return Double.isNaN(behind) ? Double.NaN : behind == 0 ? 0 : age(newestMicros);
    }

    private double age(long micros) {
        return micros == 0 ? Double.NaN : Math.max(0, clock.epochMicros() - micros) / MICROS;
    }
}
