package io.tributary.node.process;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a pipeline running until the node is stopped. After a failure with severity RETRY it builds a new pipeline from the last durable cut, after a
 * pause that grows until more data has become durable. Every other failure ends the node. A pipeline itself is never restarted.
 */
public final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Builds and starts a pipeline from the last durable cut. */
    public interface Builder {
        /**
         * Builds and starts.
         *
         * @param failure notified at most once, from any thread, when the pipeline has failed
         */
        AutoCloseable start(FailureSink failure) throws Exception;
    }

    private final StopSignal stop;
    private final LongSupplier durable;
    private final Backoff pauses;
    private final boolean hasCoordinator;
    private volatile String state = "starting";
    private volatile boolean isRunning;
    private volatile long pauseNanos;

    /** @param durable grows when pipelines make data durable; constant if they store nothing */
    public Supervisor(StopSignal stop, Backoff pauses, LongSupplier durable) {
        this(stop, pauses, durable, true);
    }

    /** @param hasCoordinator whether a pipeline whose epoch is over queries a coordinator for the next epoch */
    public Supervisor(StopSignal stop, Backoff pauses, LongSupplier durable, boolean hasCoordinator) {
        this.hasCoordinator = hasCoordinator;
        this.stop = stop;
        this.pauses = pauses;
        this.durable = durable;
    }

    /** The current state, for the status. */
    public String state() {
        return state;
    }

    /** Whether a pipeline runs now. */
    public boolean isRunning() {
        return isRunning;
    }

    /** The length of the current pause between two pipelines, or of the last one; 0 if there was none. Any thread. */
    public long pauseNanos() {
        return pauseNanos;
    }

    /**
     * Returns when the node is stopped and the pipeline is closed.
     *
     * @throws TributaryException what ended the node
     */
    public void run(Builder builder) throws InterruptedException {
        run(builder, () -> {});
    }

    /**
     * Returns when the node is stopped and the pipeline is closed.
     *
     * @param onPoll run repeatedly by this thread while a pipeline runs; may block until the pipeline ends, and must not throw
     * @throws TributaryException what ended the node
     */
    public void run(Builder builder, Runnable onPoll) throws InterruptedException {
        while (!stop.isRequested()) {
            long before = durable.getAsLong();
            TributaryException failure = runOnce(builder, onPoll);
            if (failure == null) {
                break;
            }
            if (failure.code().severity() != Severity.RETRY) {
                state = "stopped: " + failure.line();
                throw failure;
            }
            boolean madeProgress = durable.getAsLong() > before;
            if (failure.code() == ErrorCode.STREAM_RENEWED && madeProgress) {
                LOG.info("pipeline restarts: reason=\"{}\"", failure.line());
            } else if (failure.code() == ErrorCode.EPOCH_OVER
                    && hasCoordinator) { // the next pipeline queries the coordinator first
                LOG.info("pipeline restarts: reason=\"{}\"", failure.line());
                stop.await(POLL_NANOS);
            } else {
                pause(failure, pauses.nextNanos(madeProgress));
            }
            state = "starting again after: " + failure.line();
        }
        state = "stopping";
    }

    private void pause(TributaryException failure, long nanos) throws InterruptedException {
        pauseNanos = nanos;
        state = "waiting to try again after: " + failure.line();
        LOG.warn("pipeline failed: retry.in.ms={} error=\"{}\"", TimeUnit.NANOSECONDS.toMillis(nanos), failure.line());
        LOG.debug("stack trace of the failure", failure);
        stop.await(nanos);
    }

    /** Runs one pipeline to its end; null when the node is stopped. */
    private TributaryException runOnce(Builder builder, Runnable onPoll) throws InterruptedException {
        AtomicReference<TributaryException> failed = new AtomicReference<>();
        try (AutoCloseable pipeline = builder.start(cause -> failed.compareAndSet(null, cause))) {
            LOG.debug("pipeline started: pipeline={}", pipeline);
            state = "running";
            isRunning = true;
            boolean isStopping = false;
            while (failed.get() == null && !isStopping) {
                onPoll.run();
                isStopping = stop.await(POLL_NANOS);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) { // a failure to build or close a pipeline is handled like one of a stage
            failed.compareAndSet(null, Failures.of("start", e));
        } finally {
            isRunning = false;
        }
        return stop.isRequested() ? null : failed.get();
    }
}
