package io.tributary.extractor.rounds;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.RoundAuthor;
import java.util.concurrent.CompletableFuture;

/** The state of a shard that joins the rounds: first it is read and taken over alone, then with all others. Used by the thread of the rounds. */
final class JoiningShardState {
    private final HeartbeatSession session;
    private final CompletableFuture<Void> included;
    private boolean isTakenOver;
    private boolean isJoined;

    /**
     * @param session has begun to read
     * @param included completed, failed or cancelled at the end
     */
    JoiningShardState(HeartbeatSession session, CompletableFuture<Void> included) {
        this.session = session;
        this.included = included;
    }

    String shard() {
        return session.shard();
    }

    /**
     * Continues while the shard is not joined.
     *
     * @param epoch the epoch of the other shards
     * @param author the node that takes over
     * @return how much was done
     * @throws TributaryException if the shard refuses
     */
    int poll(long epoch, Clock clock, RoundAuthor author) {
        if (isJoined) {
            return 0;
        }
        int done = session.poll();
        if (session.isDone() && !isTakenOver) {
            isTakenOver = true;
            session.takeOver(Math.max(epoch, session.seenEpoch()) + 1, clock.epochMicros(), author);
        }
        return done;
    }

    /** Whether the shard refuses every other writer, so that it can join the others. */
    boolean isTakenOverAlone() {
        return isTakenOver && session.isDone();
    }

    /** Joins the shard: from now on its session is polled with the others. */
    HeartbeatSession join() {
        isJoined = true;
        return session;
    }

    boolean isJoined() {
        return isJoined;
    }

    /** Completes the request after all shards are taken over: the next round is the shard's first. */
    void completed() {
        included.complete(null);
    }

    void failed(TributaryException cause) {
        included.completeExceptionally(cause);
        session.close();
    }

    /** Cancels the request; the session of a joined shard is closed with the others. */
    void cancel() {
        included.cancel(false);
        if (!isJoined) {
            session.close();
        }
    }
}
