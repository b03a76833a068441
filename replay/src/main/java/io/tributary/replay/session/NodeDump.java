package io.tributary.replay.session;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.StreamEnd;

/** Reads the binlog of a node through a session, with errors that name the node. */
public final class NodeDump {
    private NodeDump() {}

    /**
     * Begins to read. The session runs no statements any more.
     *
     * @return the stream, which the caller closes
     * @throws TributaryException NODE_UNREACHABLE; if the node refuses, as {@link SqlSession#failed}
     */
    public static BinlogStream begin(SqlSession session, BinlogDump dump) {
        try {
            return session.connection()
                    .await(session.connection().dump(dump), session.peer().timeout());
        } catch (MysqlServerError e) {
            throw session.failed("the request for its binlog", e);
        } catch (TributaryException e) {
            throw new TributaryException(ErrorCode.NODE_UNREACHABLE, session.peer() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Requires that a stream has not ended by an error.
     *
     * @throws TributaryException READER_REFUSED if the node ended it, with its error as the cause; NODE_UNREACHABLE if the connection was lost
     */
    public static void requireUnbroken(Peer node, BinlogStream stream) {
        StreamEnd end = stream.end().orElse(null);
        if (end instanceof StreamEnd.Refused refused) {
            throw new TributaryException(
                    ErrorCode.READER_REFUSED,
                    node + ": expected its binlog, found " + refused.error().getMessage(),
                    refused.error());
        }
        if (end instanceof StreamEnd.Lost lost) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE, node + ": " + lost.cause().getMessage(), lost.cause());
        }
    }
}
