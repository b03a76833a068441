package io.tributary.seed.copy;

import io.netty.buffer.Unpooled;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.replica.TargetWriters;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * A worker's session on the target with the limits of what it writes.
 *
 * @param session see {@link CopySessions#target}
 * @param check fails if another seed has begun, see {@link TargetWriters#check}
 * @param statementBytes from this length on a statement is sent
 * @param mostBytes the longest statement that the target accepts
 * @param limits of all workers
 */
record TargetSession(SqlSession session, String check, int statementBytes, long mostBytes, Limits limits)
        implements AutoCloseable {
    private static final int PACKET_REST = 64;

    /**
     * What all workers of a copy share.
     *
     * @param rate limits the bytes of statements
     * @param large is held while a large row is written
     */
    record Limits(RateLimiter rate, Semaphore large) {
        Limits(RateLimiter rate) {
            this(rate, new Semaphore(1));
        }
    }

    static TargetSession open(TargetWriters writers, CopyConfig config, Limits limits) {
        SqlSession session = CopySessions.target(writers);
        try {
            long most = Long.parseLong(session.value("SELECT @@max_allowed_packet")) - PACKET_REST;
            return new TargetSession(
                    session, writers.check(), (int) Math.min(config.statementBytes(), most / 2), most, limits);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    RateLimiter rate() {
        return limits.rate();
    }

    Semaphore large() {
        return limits.large();
    }

    /** Commits, unless another seed has begun. */
    void commit() {
        session.run(check, "COMMIT");
    }

    /** Sends the commit and does not wait. If another seed has begun, or the statement before it fails, nothing is committed. */
    CompletableFuture<QueryResult> sendCommit(String before) {
        String text = before + (before.isEmpty() ? "" : ";") + check + ";COMMIT";
        return session.send(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)), before.isEmpty() ? 2 : 3);
    }

    @Override
    public void close() {
        session.close();
    }
}
