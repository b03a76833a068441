package io.tributary.node.task;

import io.tributary.common.value.Cut;
import io.tributary.store.JournalMap;

/**
 * The start of a pipeline.
 *
 * @param found where to resume; has all shards
 * @param journal as of that cut; the pipeline may change it until it is closed; its creator closes it
 */
public record PipelineStart(StartCut.Found found, JournalMap journal) {
    Cut cut() {
        return found.cut();
    }
}
