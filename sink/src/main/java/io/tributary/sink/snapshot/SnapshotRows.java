package io.tributary.sink.snapshot;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.RowQueue;
import io.tributary.replay.session.SqlSession;

/** The rows of one SELECT. For one thread. */
final class SnapshotRows implements AutoCloseable {
    private final SqlSession session;
    private final String statement;
    private final RowQueue queue;

    SnapshotRows(SqlSession session, String statement, int queueBytes) {
        this.session = session;
        this.statement = statement;
        this.queue = session.stream(statement, queueBytes);
    }

    /**
     * The next row in the form of the protocol, valid until the next call; null after the last one.
     *
     * @throws io.tributary.common.error.TributaryException SINK_SNAPSHOT_UNREACHABLE, SINK_SNAPSHOT_UNFIT
     */
    ByteBuf next() {
        try {
            return session.next(queue);
        } catch (MysqlServerError e) {
            throw session.failed(statement, e);
        }
    }

    @Override
    public void close() {
        queue.close();
    }
}
