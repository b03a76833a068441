package io.tributary.node.task;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.extractor.stream.Extractor;

/**
 * Reader of one shard in a running pipeline.
 *
 * @param index of the shard in its tokens; no other shard of the pipeline gets it
 * @param from start position
 * @param link that receives its tokens
 * @param metrics of extractor and link; they exist as long as the reader
 */
public record ShardReader(int index, ShardCut from, Extractor extractor, Link<Token> link, Metrics metrics) {
    public String name() {
        return from.name();
    }
}
