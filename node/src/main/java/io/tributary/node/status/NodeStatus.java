package io.tributary.node.status;

import java.util.List;
import java.util.Optional;

/**
 * The status that a node reports in addition to its metrics.
 *
 * @param version the program's version
 * @param role such as standalone, task, dumper or apply
 * @param state its current state, such as running, or the line of the failure after which it will retry
 * @param isHealthy whether it works at the moment
 * @param shards names of the shards, in the order of their indexes
 * @param parts status of its parts, in the order in which they are shown
 */
public record NodeStatus(
        String version, String role, String state, boolean isHealthy, List<String> shards, List<StatusPart> parts) {
    /** The position of a shard in the newest cut; empty if this node has none. */
    public Optional<ShardStatus> shard(String name) {
        return parts.stream()
                .flatMap(part -> part.positions().stream())
                .filter(shard -> shard.name().equals(name))
                .findFirst();
    }
}
