package io.tributary.node.role;

import java.time.Duration;
import java.util.Collection;

/**
 * A change of shards that is told as done only when the streams have been opened anew: they go on behind what is durable, so what is read then
 * tells whether the change is.
 *
 * @param before the pipeline of the streams before
 * @param isToBeRead whether the shard is to be among those that are read then
 * @param done what to say when it is done
 * @param since when the streams were ended
 */
record Renewal(TaskPipeline before, String shard, boolean isToBeRead, String done, long since) {
    private static final Duration MOST = Duration.ofSeconds(60);

    boolean isDone(Collection<String> read) {
        return read.contains(shard) == isToBeRead;
    }

    String undone() {
        return "shard " + shard + " is read " + (isToBeRead ? "not yet" : "as before")
                + ": the Dumper had not written the change when the stream was opened anew, so nothing has changed; run the command again";
    }

    boolean isLate(long now) {
        return now - since > MOST.toNanos();
    }

    String late() {
        return "waited " + MOST.toSeconds()
                + " s in vain for the streams to be opened anew: see the status of this node, of the relays and of"
                + " the Dumper, and run the command for shard " + shard + " again when they run";
    }
}
