package io.tributary.replay.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.NodeDump;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;

/** The stream of a node, read as a replica reads it. For one thread. */
public final class StreamReader {
    private static final int POLL_BYTES = 1 << 20;
    private static final long SHORTEST_PAUSE = 50_000;
    private static final long LONGEST_PAUSE = 1_000_000;

    private final MysqlClient client;
    private final Peer node;
    private final Replica replica;
    private final Clock clock;

    /**
     * The replica as which a stream is read.
     *
     * @param id its server_id, 1 to 2^32 - 1
     * @param uuid its server_uuid
     */
    public record Replica(long id, UUID uuid) {}

    public StreamReader(MysqlClient client, Peer node, Replica replica, Clock clock) {
        this.client = client;
        this.node = node;
        this.replica = replica;
        this.clock = clock;
    }

    /** What happens between events; both methods may throw. */
    @FunctionalInterface
    public interface Turns {
        /** Runs often. */
        void turn();

        /** Runs when no event has come, before the thread pauses. */
        default void idle() {}
    }

    /**
     * Reads events that the node has, until the input {@link StreamInput#isAtEnd accepts no more}.
     *
     * @param after these transactions are not read
     * @throws TributaryException NODE_UNREACHABLE, also if only heartbeats come within the node's timeout; READER_REFUSED
     * @throws CancellationException after an interrupt
     */
    public void read(StreamInput input, GtidSet after, Turns turns) {
        read(input, after, turns, false);
    }

    /** The same, and waits for events that the node does not have yet as long as heartbeats come. */
    public void follow(StreamInput input, GtidSet after, Turns turns) {
        read(input, after, turns, true);
    }

    private void read(StreamInput input, GtidSet after, Turns turns, boolean waits) {
        SqlSession session = SqlSession.open(client, node);
        try (BinlogStream stream = dump(session, after)) {
            input.begin(stream.checksummed());
            long events = input.events();
            long silentSince = clock.nanoTime();
            long pause = SHORTEST_PAUSE;
            while (!input.isAtEnd()) {
                int consumed = stream.poll(input, POLL_BYTES);
                turns.turn();
                if (input.events() != events || waits && consumed > 0) {
                    events = input.events();
                    silentSince = clock.nanoTime();
                    pause = SHORTEST_PAUSE;
                } else if (clock.nanoTime() - silentSince > node.timeout().toNanos()) {
                    throw silent(input);
                }
                if (consumed == 0) {
                    requireOpen(stream);
                    turns.idle();
                    LockSupport.parkNanos(pause);
                    pause = Math.min(2 * pause, LONGEST_PAUSE);
                    requireNotInterrupted();
                }
            }
        } finally {
            session.close();
        }
    }

    private BinlogStream dump(SqlSession session, GtidSet executed) {
        return NodeDump.begin(session, BinlogDump.after(executed, replica.id(), replica.uuid()));
    }

    private void requireOpen(BinlogStream stream) {
        NodeDump.requireUnbroken(node, stream);
        if (stream.end().isPresent()) {
            throw new TributaryException(ErrorCode.NODE_UNREACHABLE, node + ": expected more events, found the end");
        }
    }

    private TributaryException silent(StreamInput input) {
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
