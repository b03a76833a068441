package io.tributary.sink.run;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.sink.kafka.ProgressTopic;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a sink does after another one of its name has taken its transactional id. A running sink stores its place at least every 20 s. The fenced one does
 * not take the id back while it sees new places: its runs end with SINK_FENCED at once, until no new place has come for 60 s. For one thread.
 */
final class FenceWatch {
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Clock clock;
    private final long silenceNanos;
    private boolean isFenced;
    private long seenAt;
    private long offset;

    FenceWatch(Clock clock) {
        this(clock, SILENCE_NANOS);
    }

    FenceWatch(Clock clock, long silenceNanos) {
        this.clock = clock;
        this.silenceNanos = silenceNanos;
    }

    /** A run has ended with this error. */
    void ended(RuntimeException cause) {
        if (cause instanceof TributaryException own && own.code() == ErrorCode.SINK_FENCED && !isFenced) {
            isFenced = true;
            seenAt = clock.nanoTime();
            offset = -1;
        }
    }

    boolean isFenced() {
        return isFenced;
    }

    /**
     * The place that is stored now.
     *
     * @throws TributaryException SINK_FENCED while the other sink may be running
     */
    void check(Optional<ProgressTopic.Stored> stored) {
        long found = stored.map(ProgressTopic.Stored::offset).orElse(-1L);
        if (found != offset) {
            offset = found;
            seenAt = clock.nanoTime();
        }
        long silent = clock.nanoTime() - seenAt;
        if (silent < silenceNanos) {
            throw new TributaryException(
                    ErrorCode.SINK_FENCED,
                    "expected that no other sink has this name, found one that has stored the place at offset " + offset
                            + "; this one continues when no place was stored for "
                            + TimeUnit.NANOSECONDS.toSeconds(silenceNanos) + " s");
        }
        isFenced = false;
    }
}
