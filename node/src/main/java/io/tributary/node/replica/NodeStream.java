package io.tributary.node.replica;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.Checkpoints;
import java.util.function.Supplier;

/** The checkpoints of a node. A session that was lost, such as by a restart of the node, is opened again once for each question. Any thread. */
public final class NodeStream implements Supplier<Checkpoint>, AutoCloseable {
    private final MysqlClient client;
    private final Peer node;
    private SqlSession session;

    /** @throws TributaryException NODE_UNREACHABLE, READER_REFUSED */
    public NodeStream(MysqlClient client, Peer node) {
        this.client = client;
        this.node = node;
        this.session = SqlSession.open(client, node);
    }

    /** The session; not while another thread asks for checkpoints. */
    public SqlSession session() {
        return session;
    }

    /** The newest checkpoint. */
    @Override
    public synchronized Checkpoint get() {
        try {
            return new Checkpoints(session, Clock.SYSTEM).newest();
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.NODE_UNREACHABLE) {
                throw e;
            }
            session.close();
            session = SqlSession.open(client, node);
            return new Checkpoints(session, Clock.SYSTEM).newest();
        }
    }

    @Override
    public synchronized void close() {
        session.close();
    }
}
