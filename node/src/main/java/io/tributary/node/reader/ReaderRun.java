package io.tributary.node.reader;

import io.tributary.common.error.TributaryException;
import io.tributary.node.process.Failures;
import io.tributary.node.replica.WorkerThreads;
import io.tributary.replay.session.Peer;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a reader in threads of its own. */
final class ReaderRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderRun.class);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final WorkerThreads threads;
    private final String role;
    private final Peer node;
    private volatile boolean isClosed;

    /**
     * @param role begins the names of the threads
     * @param node that is read
     */
    ReaderRun(String role, Peer node) {
        this.threads = new WorkerThreads(role);
        this.role = role;
        this.node = node;
    }

    /**
     * Begins.
     *
     * @param ended receives the failure that ends the run; not called after {@link #close} has begun
     */
    void begin(ReaderWork work, Consumer<TributaryException> ended) {
        threads.executor().execute(() -> {
            try {
                work.run(node, threads.executor());
                ended(new IllegalStateException("the run has ended without a failure"), ended);
            } catch (Throwable e) { // all that ends a run is decided by the role
                ended(e, ended);
            }
        });
    }

    private void ended(Throwable cause, Consumer<TributaryException> ended) {
        if (isClosed) {
            LOG.debug("run was ended: node={} error=\"{}\"", node.name(), cause.toString());
        } else {
            ended.accept(Failures.of(role, cause));
        }
    }

    /** Interrupts the run and waits for the end of its threads, for a limited time. */
    @Override
    public void close() {
        isClosed = true;
        try {
            if (!threads.end(LONGEST_END)) {
                LOG.warn(
                        "threads have not ended: role={} seconds={} effect=\"their connections are closed with the node\"",
                        role,
                        LONGEST_END.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
