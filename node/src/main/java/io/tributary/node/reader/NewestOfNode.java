package io.tributary.node.reader;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.process.StopSignal;
import io.tributary.node.replica.WorkerThreads;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the node every second for the last transaction of its binlog, on a session of its own. If the node does not answer, the number is not known,
 * and nothing else happens.
 */
final class NewestOfNode implements AutoCloseable {
    /** The last transaction is not known. */
    static final long UNKNOWN = -1;

    private static final Logger LOG = LoggerFactory.getLogger(NewestOfNode.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MysqlClient client;
    private final Supplier<Peer> node;
    private final StopSignal stop;
    private final WorkerThreads threads;
    private volatile long last = UNKNOWN;

    // ---- of the thread

    private SqlSession session; // null: none is open
    private Peer asked;
    private Sid sid;

    /**
     * @param thread begins the name of its thread
     * @param node that is read now; any thread
     */
    NewestOfNode(String thread, MysqlClient client, Supplier<Peer> node, StopSignal stop) {
        this.threads = new WorkerThreads(thread);
        this.client = client;
        this.node = node;
        this.stop = stop;
    }

    /** The number of the last transaction; {@link #UNKNOWN} while the node does not answer. Any thread. */
    long last() {
        return last;
    }

    /**
     * Begins to ask.
     *
     * @param onAnswer runs after each attempt; must not throw
     */
    void begin(Runnable onAnswer) {
        threads.executor().execute(() -> run(onAnswer));
    }

    private void run(Runnable onAnswer) {
        try {
            do {
                ask();
                onAnswer.run();
            } while (!stop.await(PERIOD_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the node ends
        } finally {
            closeSession();
        }
    }

    private void ask() {
        try {
            Peer now = node.get();
            if (session == null || !now.equals(asked)) {
                closeSession();
                session = SqlSession.open(client, now);
                asked = now;
                sid = Sid.parse(session.value("SELECT @@GLOBAL.server_uuid"));
            }
            last = GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed").replace("\n", ""))
                    .last(sid);
        } catch (TributaryException | CancellationException | IllegalArgumentException e) {
            LOG.debug("last transaction of the node is not known: error=\"{}\"", e.getMessage());
            last = UNKNOWN;
            closeSession();
        }
    }

    private void closeSession() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
