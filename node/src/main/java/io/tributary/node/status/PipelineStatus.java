package io.tributary.node.status;

import io.tributary.collector.schema.SchemaItem;
import java.util.List;
import java.util.stream.Stream;

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

    @Override
    public List<Hold> holds() {
        return Stream.concat(
                        heldShards.stream().map(Hold::of),
                        schemaChanges.stream()
                                .filter(item -> item.state() == SchemaItem.State.HELD)
                                .map(Hold::of))
                .toList();
    }
}
