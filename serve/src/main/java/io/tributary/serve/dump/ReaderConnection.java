package io.tributary.serve.dump;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The connection to one reader: it sends events, and counts them for the lane, for the rate limit of the user, for heartbeats and to detect a
 * reader that receives nothing. On the reader's event loop.
 */
public final class ReaderConnection {
    private final EventSink sink;
    private final ReaderLane lane;
    private final RateLimiter pace;
    private final Clock clock;
    private final SlowReaderDetector slowReader = new SlowReaderDetector();
    private long lastSentNanos;
    private long turnNanos;
    private boolean hasSent;

    public ReaderConnection(EventSink sink, ReaderLane lane, RateLimiter pace, Clock clock) {
        this.sink = sink;
        this.lane = lane;
        this.pace = pace;
        this.clock = clock;
    }

    EventSink sink() {
        return sink;
    }

    ReaderLane lane() {
        return lane;
    }

    /** Sends whole events; none if the range is empty. */
    void send(ByteBuffer view, int from, int to) {
        if (from < to) {
            sink.events(view, from, to);
            sent(to - from);
        }
    }

    /** Sends whole events of the lane's block, which other readers of the lane may get from the same frames. */
    void sendShared(ByteBuffer view, int from, int to) {
        sink.events(view, from, to, lane.frames(), lane.block().content());
        sent(to - from);
    }

    /** Sends whole events, of which a semi-sync reader must acknowledge the last one. */
    void sendToAcknowledge(ByteBuffer view, int from, int to) {
        sink.eventsToAcknowledge(view, from, to);
        sent(to - from);
    }

    /** Sends the next part of the event that {@link EventSink#begin} began: the first {@code length} bytes of the view. */
    void sendPart(ByteBuffer view, int length) {
        sink.part(view, 0, length);
        sent(length);
    }

    /** A turn begins in which blocks may be sent. */
    void beginTurn() {
        turnNanos = clock.nanoTime();
        hasSent = false;
    }

    /** The turn ends; its duration up to the last block is recorded if something was sent. */
    void endTurn() {
        if (hasSent) {
            lane.took(lastSentNanos - turnNanos);
        }
    }

    private void sent(int bytes) {
        hasSent = true;
        lane.sent(bytes);
        pace.sent(bytes);
        slowReader.sent(bytes);
        endSilence();
    }

    /** Records that something is sent now. */
    void endSilence() {
        lastSentNanos = clock.nanoTime();
    }

    /** Time since something was sent. */
    long silentNanos() {
        return clock.nanoTime() - lastSentNanos;
    }

    /** Time until the rate limit of the user allows more; 0 for now. */
    long waitNanos() {
        return pace.waitNanos();
    }

    /** Whether the reader has received nothing for that long although something waits to be sent. */
    boolean isStalled(Duration limit) {
        return slowReader.isStalled(sink.waitingBytes(), clock.nanoTime(), limit);
    }
}
