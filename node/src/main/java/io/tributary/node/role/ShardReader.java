package io.tributary.node.role;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.extractor.Extractor;

/**
 * What reads one shard of a running pipeline.
 *
 * @param index what its tokens carry; it is given to no other shard of the pipeline
 * @param from where it began
 * @param link into which it puts its tokens
 * @param metrics of extractor and link; they live as long as the reader
 */
record ShardReader(int index, ShardCut from, Extractor extractor, Link<Token> link, Metrics metrics) {
    String name() {
        return from.name();
    }
}
