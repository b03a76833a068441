package io.tributary.seed.replay;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.seed.session.Peer;
import io.tributary.seed.session.SqlSession;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;

/** The stream of a node, read by a replay as a replica reads it. For one thread. */
final class ReplayStream {
    private static final int POLL_BYTES = 1 << 20;
    private static final long PAUSE_NANOS = 200_000;
    private static final int HELD_PART = 4;

    private final MysqlClient client;
    private final Peer node;
    private final ReplayConfig config;
    private final Clock clock;

    ReplayStream(MysqlClient client, Peer node, ReplayConfig config, Clock clock) {
        this.client = client;
        this.node = node;
        this.config = config;
        this.clock = clock;
    }

    /**
     * Reads until the input is at its end.
     *
     * @param after these transactions are not read
     * @param packet max_allowed_packet of what applies the replay
     * @param progress runs often; it may throw
     * @throws TributaryException NODE_UNREACHABLE, READER_REFUSED
     * @throws CancellationException after an interrupt
     */
    void read(ReplayInput input, GtidSet after, long packet, Runnable progress) {
        SqlSession session = SqlSession.open(client, node);
        try (BinlogStream stream = dump(session, after)) {
            input.begin(stream.checksummed(), packet, config.bytesInFlight() / HELD_PART);
            long events = 0;
            long silentSince = clock.nanoTime();
            while (!input.isAtEnd()) {
                int consumed = stream.poll(input, POLL_BYTES);
                progress.run();
                if (input.events() != events) {
                    events = input.events();
                    silentSince = clock.nanoTime();
                } else if (clock.nanoTime() - silentSince > node.timeout().toNanos()) {
                    throw silent(input);
                }
                if (consumed == 0) {
                    requireOpen(stream);
                    LockSupport.parkNanos(PAUSE_NANOS);
                    requireNotInterrupted();
                }
            }
        } finally {
            session.close();
        }
    }

    private BinlogStream dump(SqlSession session, GtidSet executed) {
        BinlogDump dump = BinlogDump.after(executed, config.serverId(), config.uuid());
        try {
            return session.connection().await(session.connection().dump(dump), node.timeout());
        } catch (MysqlServerError e) {
            throw session.failed("COM_BINLOG_DUMP_GTID", e);
        } catch (TributaryException e) {
            throw new TributaryException(ErrorCode.NODE_UNREACHABLE, node + ": " + e.getMessage(), e);
        }
    }

    private void requireOpen(BinlogStream stream) {
        StreamEnd end = stream.end().orElse(null);
        if (end instanceof StreamEnd.Refused refused) {
            throw new TributaryException(
                    ErrorCode.READER_REFUSED,
                    node + ": expected the stream after what was executed, found "
                            + refused.error().getMessage(),
                    refused.error());
        }
        if (end instanceof StreamEnd.Lost lost) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE, node + ": " + lost.cause().getMessage(), lost.cause());
        }
        if (end != null) {
            throw new TributaryException(ErrorCode.NODE_UNREACHABLE, node + ": expected more events, found the end");
        }
    }

    private TributaryException silent(ReplayInput input) {
        return new TributaryException(
                ErrorCode.NODE_UNREACHABLE,
                node + ": expected more events within " + node.timeout().toSeconds() + " s, found none after "
                        + input.events());
    }

    private static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted during the replay");
        }
    }
}
