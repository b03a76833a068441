package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a pipeline running until the node is to stop: a failure that calls for it builds a new pipeline from the last durable cut,
 * after a pause that grows until something more has become durable; every other failure ends the node. A pipeline itself is never restarted.
 */
final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Builds and starts a pipeline from what is durable now. */
    interface Builder {
        /**
         * Builds and starts.
         *
         * @param failure told at most once, from any thread, when the pipeline has failed
         */
        AutoCloseable start(FailureSink failure) throws Exception;
    }

    private final StopSignal stop;
    private final LongSupplier durable;
    private final Pauses pauses;
    private final boolean hasCoordinator;
    private volatile String state = "starting";
    private volatile boolean isRunning;

    /** @param durable grows with what pipelines make durable; the same number for ever where they keep nothing */
    Supervisor(StopSignal stop, Pauses pauses, LongSupplier durable) {
        this(stop, pauses, durable, true);
    }

    /** @param hasCoordinator whether a pipeline whose epoch is over asks it for the next one */
    Supervisor(StopSignal stop, Pauses pauses, LongSupplier durable, boolean hasCoordinator) {
        this.hasCoordinator = hasCoordinator;
        this.stop = stop;
        this.pauses = pauses;
        this.durable = durable;
    }

    /** What it does now, for the status. */
    String state() {
        return state;
    }

    /** Whether a pipeline runs now. */
    boolean isRunning() {
        return isRunning;
    }

    /**
     * Returns when the node is to stop and the pipeline is closed.
     *
     * @throws TributaryException what ended the node
     */
    void run(Builder builder) throws InterruptedException {
        run(builder, () -> {});
    }

    /**
     * Returns when the node is to stop and the pipeline is closed.
     *
     * @param betweenLooks run by this thread now and then while a pipeline runs; may block until that ends, and throws nothing
     * @throws TributaryException what ended the node
     */
    void run(Builder builder, Runnable betweenLooks) throws InterruptedException {
        while (!stop.isRequested()) {
            long before = durable.getAsLong();
            TributaryException failure = runOnce(builder, betweenLooks);
            if (failure == null) {
                break;
            }
            if (failure.code().severity() != Severity.RETRY) {
                state = "stopped: " + failure.line();
                throw failure;
            }
            boolean gotOn = durable.getAsLong() > before;
            if (failure.code() == ErrorCode.STREAM_RENEWED && gotOn) {
                LOG.info("{}", failure.line());
            } else if (failure.code() == ErrorCode.EPOCH_OVER
                    && hasCoordinator) { // the next one asks the coordinator first
                LOG.info("{}", failure.line());
                stop.await(LOOK_NANOS);
            } else {
                pause(failure, pauses.nextNanos(gotOn));
            }
            state = "starting again after: " + failure.line();
        }
        state = "stopping";
    }

    private void pause(TributaryException failure, long nanos) throws InterruptedException {
        state = "waiting to try again after: " + failure.line();
        LOG.warn("{} | trying again in {} ms", failure.line(), TimeUnit.NANOSECONDS.toMillis(nanos));
        LOG.debug("the failure in full", failure);
        stop.await(nanos);
    }

    /** Runs one pipeline to its end; null when the node is to stop. */
    private TributaryException runOnce(Builder builder, Runnable betweenLooks) throws InterruptedException {
        AtomicReference<TributaryException> failed = new AtomicReference<>();
        try (AutoCloseable pipeline = builder.start(cause -> failed.compareAndSet(null, cause))) {
            LOG.debug("running {}", pipeline);
            state = "running";
            isRunning = true;
            boolean ends = false;
            while (failed.get() == null && !ends) {
                betweenLooks.run();
                ends = stop.await(LOOK_NANOS);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) { // what building or closing a pipeline threw is judged like a stage's failure
            failed.compareAndSet(null, Failures.of("start", e));
        } finally {
            isRunning = false;
        }
        return stop.isRequested() ? null : failed.get();
    }
}
