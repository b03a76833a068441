package io.tributary.extractor.stream;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.BinlogStream;
import java.time.Duration;

/** The idle timeout of a shard's stream: for how long no data has arrived, and whether that is too long. */
final class IdleTimeout {
    /** Heartbeat intervals without data before a connection is closed. */
    private static final int PERIODS = 3;
    /**
     * Bytes of a large event that show that the shard is alive while the event takes longer to arrive than the timeout. More than heartbeats
     * have in that time, because after a damaged packet with a wrong length heartbeats are counted as parts of that packet.
     */
    private static final int ALIVE_BYTES = 64 << 10;

    private final Clock clock;
    private final long mostNanos;
    private long until;
    private long countedBytes;

    /** @param heartbeat interval at which an idle shard sends heartbeats */
    IdleTimeout(Duration heartbeat, Clock clock) {
        this.clock = clock;
        this.mostNanos = PERIODS * heartbeat.toNanos();
    }

    /** Begins a stream. */
    void streamBegins() {
        countedBytes = 0;
        restart();
    }

    /** Restarts the timeout: data was received, or the stream was not read for a time. */
    void restart() {
        until = clock.nanoTime() + mostNanos;
    }

    /** Restarts the timeout if enough bytes of a large event have arrived since the last time; returns whether it did. */
    boolean isRestartedBy(BinlogStream stream) {
        boolean isAlive = stream.receivedBytes() - countedBytes > ALIVE_BYTES;
        if (isAlive) {
            countedBytes = stream.receivedBytes();
            restart();
        }
        return isAlive;
    }

    boolean isTooLong() {
        return clock.nanoTime() - until > 0;
    }
}
