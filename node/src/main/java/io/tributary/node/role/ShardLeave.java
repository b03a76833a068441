package io.tributary.node.role;

import io.tributary.collector.Collector;
import io.tributary.common.error.TributaryException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a shard of a running pipeline go: at a round in front of which all of it has been processed, and none of its branches is open. */
final class ShardLeave {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLeave.class);

    private static final Duration LAST_WORD = Duration.ofSeconds(5);

    private final String name;
    private final int index;
    private final TaskPipeline pipeline;
    private final Waiting waiting;
    private final Consumer<String> says;

    /**
     * @param index of one of the pipeline's shards, not the last
     * @param says told what is done now
     */
    ShardLeave(String name, int index, TaskPipeline pipeline, Waiting waiting, Consumer<String> says) {
        this.name = name;
        this.index = index;
        this.pipeline = pipeline;
        this.waiting = waiting;
        this.says = says;
    }

    /**
     * Blocks until the shard has gone from the order; it is still read.
     *
     * @return what the collector said last of it
     * @throws TributaryException why it has not gone; nothing has changed then
     */
    Collector.Leaving run() {
        Collector collector = pipeline.collector();
        waiting.answer(collector.askToLeave(index, pipeline.rounds().begunRound()), "the collector");
        Collector.Leaving leaving;
        try {
            leaving = awaitRest();
        } catch (TributaryException e) {
            leaving = stay(e);
        }
        LOG.info(
                "shard {}: leaves, was read up to {}",
                name,
                leaving.last().frontier().line());
        return leaving;
    }

    private Collector.Leaving awaitRest() {
        Collector.Leaving[] state = {state()};
        waiting.until(
                () -> {
                    state[0] = state();
                    return state[0].last() != null;
                },
                () -> "shard " + name + " to come to rest: " + state[0].hindrances());
        return state[0];
    }

    /** Patience is at its end; the shard may have left just now all the same. */
    private Collector.Leaving stay(TributaryException why) {
        Waiting last = waiting.anew(LAST_WORD);
        last.answer(pipeline.collector().stay(index), "the collector");
        Collector.Leaving state = last.answer(pipeline.collector().leaving(index), "the collector");
        if (state.last() == null) {
            throw why;
        }
        return state;
    }

    private Collector.Leaving state() {
        Collector.Leaving state = waiting.answer(pipeline.collector().leaving(index), "the collector");
        if (!state.hindrances().isEmpty()) {
            says.accept("waits for shard " + name + " to come to rest: " + state.hindrances());
        }
        return state;
    }
}
