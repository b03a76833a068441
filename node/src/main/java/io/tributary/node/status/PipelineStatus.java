package io.tributary.node.status;

import io.tributary.collector.schema.SchemaItem;
import java.util.List;

/**
 * The newest pipeline of a Task.
 *
 * @param schemaChanges in progress
 * @param heldShards that wait for an operator
 */
public record PipelineStatus(List<SchemaItem> schemaChanges, List<HeldShard> heldShards) implements StatusPart {
    /**
     * A shard that is not read further.
     *
     * @param reason why, and what ends it
     */
    public record HeldShard(String shard, String reason) {}
}
