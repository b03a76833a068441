package io.tributary.node.task;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.process.FailureSink;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/** The threads of one pipeline. The first failure, or the first request to end, is reported; all later ones are not. */
final class PipelineRunner implements AutoCloseable {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final StageRunner stages;
    private final FailureSink failure;

    /** @param failureOf converts the failure of a stage with this name */
    PipelineRunner(BiFunction<String, Throwable, TributaryException> failureOf, FailureSink failure) {
        this.failure = failure;
        this.stages = new StageRunner((stage, cause) -> {
            if (!ended.getAndSet(true)) {
                failure.failed(failureOf.apply(stage.name(), cause));
            }
        });
    }

    /** The runner of the stages. */
    StageRunner stages() {
        return stages;
    }

    /** Reports this cause, unless the pipeline has ended. */
    void end(TributaryException cause) {
        if (!ended.getAndSet(true)) {
            failure.failed(cause);
        }
    }

    /** Whether it has not failed and was not closed; any thread. */
    boolean isRunning() {
        return !ended.get();
    }

    /** Ends all stages and waits for them. */
    @Override
    public void close() {
        ended.set(true);
        stages.close();
    }
}
