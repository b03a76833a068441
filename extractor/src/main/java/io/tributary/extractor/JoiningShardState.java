package io.tributary.extractor;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.util.concurrent.CompletableFuture;

/** A shard on its way into the rounds: read and taken over alone, then one of all. For the thread of the rounds. */
final class Arrival {
    private final HeartbeatLine line;
    private final CompletableFuture<Void> included;
    private boolean isTakenOver;
    private boolean isOneOfAll;

    /**
     * @param line reads already
     * @param included completed, failed or cancelled at the end of the way
     */
    Arrival(HeartbeatLine line, CompletableFuture<Void> included) {
        this.line = line;
        this.included = included;
    }

    String shard() {
        return line.shard();
    }

    /**
     * Goes on, as long as it is alone.
     *
     * @param epoch of the other shards
     * @param author who takes over
     * @return how much was done
     * @throws TributaryException what the shard refuses
     */
    int poll(long epoch, Clock clock, RoundAuthor author) {
        if (isOneOfAll) {
            return 0;
        }
        int done = line.poll();
        if (line.isDone() && !isTakenOver) {
            isTakenOver = true;
            line.takeOver(Math.max(epoch, line.seenEpoch()) + 1, clock.epochMicros(), author);
        }
        return done;
    }

    /** Whether the shard refuses every other writer, so that it can become one of all. */
    boolean isOurs() {
        return isTakenOver && line.isDone();
    }

    /** From here on its line is polled with the others. */
    HeartbeatLine joinAll() {
        isOneOfAll = true;
        return line;
    }

    boolean isOneOfAll() {
        return isOneOfAll;
    }

    /** All are taken over: the next round is the shard's first. */
    void completed() {
        included.complete(null);
    }

    void failed(TributaryException cause) {
        included.completeExceptionally(cause);
        line.close();
    }

    /** It does not come; the line of one of all is closed with the others. */
    void cancel() {
        included.cancel(false);
        if (!isOneOfAll) {
            line.close();
        }
    }
}
