package io.tributary.node.task;

import java.time.Duration;
import java.util.Collection;

/**
 * A change of shards that is reported as done only after the streams were opened again. They resume after the last durable cut, so the shards that
 * are read then show whether the change is durable.
 *
 * @param before the pipeline of the earlier streams
 * @param isToBeRead whether the shard has to be among those that are read after the restart
 * @param done message for success
 * @param since when the streams were ended, ns
 */
record PipelineRestart(TaskPipeline before, String shard, boolean isToBeRead, String done, long since) {
    private static final Duration MOST = Duration.ofSeconds(60);

    boolean isDone(Collection<String> read) {
        return read.contains(shard) == isToBeRead;
    }

    String undone() {
        return "expected shard " + shard + (isToBeRead ? " to be read" : " not to be read") + ", found no change"
                + ": the Dumper had not written the change when the stream was opened again; run the command again";
    }

    boolean isLate(long now) {
        return now - since > MOST.toNanos();
    }

    String late() {
        return "expected the streams to be opened again within " + MOST.toSeconds()
                + " s, found that they are not: see the status of this node, of the relays and of"
                + " the Dumper, and run the command for shard " + shard + " again when they run";
    }
}
