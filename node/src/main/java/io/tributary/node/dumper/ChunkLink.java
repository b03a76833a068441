package io.tributary.node.dumper;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;

/** Creates the link to the writer. */
public final class ChunkLink {
    private static final int MOST_CHUNKS = 1 << 12;

    private ChunkLink() {}

    /** @param bytes capacity of the link */
    public static Link<Chunk> of(long bytes, Metrics metrics, Clock clock) {
        Link<Chunk> link = new Link<>("chunks", MOST_CHUNKS, bytes, Chunk::bytes, clock);
        metrics.register(link);
        return link;
    }
}
