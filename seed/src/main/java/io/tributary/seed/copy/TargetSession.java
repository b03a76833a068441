package io.tributary.seed.copy;

import io.tributary.common.pipeline.RateLimiter;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.seed.session.Peer;
import io.tributary.seed.session.SqlSession;

/**
 * A worker's session on the target with the limits of what it writes.
 *
 * @param session see {@link CopySessions#target}
 * @param statementBytes from this length on a statement is sent
 * @param mostBytes the longest statement that the target accepts
 * @param rate limit of all workers
 */
record TargetSession(SqlSession session, int statementBytes, long mostBytes, RateLimiter rate)
        implements AutoCloseable {
    private static final int PACKET_REST = 64;

    static TargetSession open(MysqlClient client, Peer target, CopyConfig config, RateLimiter rate) {
        SqlSession session = CopySessions.target(client, target);
        try {
            long most = Long.parseLong(session.value("SELECT @@max_allowed_packet")) - PACKET_REST;
            return new TargetSession(session, (int) Math.min(config.statementBytes(), most / 2), most, rate);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
