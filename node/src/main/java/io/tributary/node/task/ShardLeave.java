package io.tributary.node.task;

import io.tributary.collector.Collector;
import io.tributary.common.error.TributaryException;
import io.tributary.node.process.BoundedWait;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes a shard from a running pipeline: at a round before which all its transactions are processed and none of its branches is open. */
final class ShardLeave {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLeave.class);

    private static final Duration LAST_WAIT = Duration.ofSeconds(5);

    private final String name;
    private final int index;
    private final TaskPipeline pipeline;
    private final BoundedWait waiting;
    private final Consumer<String> progress;

    /**
     * @param index of one of the pipeline's shards, not of the last one left
     * @param progress receives a description of the current step
     */
    ShardLeave(String name, int index, TaskPipeline pipeline, BoundedWait waiting, Consumer<String> progress) {
        this.name = name;
        this.index = index;
        this.pipeline = pipeline;
        this.waiting = waiting;
        this.progress = progress;
    }

    /**
     * Blocks until the shard has left the order; it is still read then.
     *
     * @return the collector's last state of the shard
     * @throws TributaryException why it has not left; nothing has changed then
     */
    Collector.Leaving run() {
        Collector collector = pipeline.collector();
        waiting.answer(collector.requestLeave(index, pipeline.rounds().begunRound()), "the collector");
        Collector.Leaving leaving;
        try {
            leaving = awaitLeft();
        } catch (TributaryException e) {
            leaving = cancelLeave(e);
        }
        LOG.info(
                "shard leaves: shard={} read.up.to=\"{}\"",
                name,
                leaving.last().frontier().line());
        return leaving;
    }

    private Collector.Leaving awaitLeft() {
        Collector.Leaving[] state = {state()};
        waiting.until(
                () -> {
                    state[0] = state();
                    return state[0].last() != null;
                },
                () -> "shard " + name + " to have no open work: " + state[0].hindrances());
        return state[0];
    }

    /** After a timeout: cancels the request; the shard may have left meanwhile. */
    private Collector.Leaving cancelLeave(TributaryException why) {
        BoundedWait last = waiting.restarted(LAST_WAIT);
        last.answer(pipeline.collector().cancelLeave(index), "the collector");
        Collector.Leaving state = last.answer(pipeline.collector().leaving(index), "the collector");
        if (state.last() == null) {
            throw why;
        }
        return state;
    }

    private Collector.Leaving state() {
        Collector.Leaving state = waiting.answer(pipeline.collector().leaving(index), "the collector");
        if (!state.hindrances().isEmpty()) {
            progress.accept("waits for shard " + name + " to have no open work: " + state.hindrances());
        }
        return state;
    }
}
