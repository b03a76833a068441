package io.tributary.extractor;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.BinlogStream;
import java.time.Duration;

/** For how long a shard that streams has shown no sign of life, and whether that is too long. */
final class Silence {
    /** Periods of heartbeat without a sign of life before a connection is given up. */
    private static final int PERIODS = 3;
    /**
     * Bytes of a large event that show that the shard lives, while the event takes longer to come than a silence may last. More than
     * heartbeats have in that time: they too are taken for a part of it where a damaged packet says that it is long.
     */
    private static final int SIGN_OF_LIFE = 64 << 10;

    private final Clock clock;
    private final long mostNanos;
    private long until;
    private long heardBytes;

    /** @param heartbeat a shard that has nothing to send shows that it lives so often */
    Silence(Duration heartbeat, Clock clock) {
        this.clock = clock;
        this.mostNanos = PERIODS * heartbeat.toNanos();
    }

    /** A stream begins. */
    void begins() {
        heardBytes = 0;
        broken();
    }

    /** The shard has been heard, or nobody has listened. */
    void broken() {
        until = clock.nanoTime() + mostNanos;
    }

    /** Whether enough of a large event has come since the last time for a sign of life. */
    boolean isBrokenBy(BinlogStream stream) {
        boolean isHeard = stream.receivedBytes() - heardBytes > SIGN_OF_LIFE;
        if (isHeard) {
            heardBytes = stream.receivedBytes();
            broken();
        }
        return isHeard;
    }

    boolean isTooLong() {
        return clock.nanoTime() - until > 0;
    }
}
