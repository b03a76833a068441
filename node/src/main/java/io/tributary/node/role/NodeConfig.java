package io.tributary.node.role;

import io.tributary.common.config.Key;

/**
 * The keys of the node itself.
 *
 * @param role what this node is
 */
public record NodeConfig(
        @Key(
                value = "node.role",
                byDefault = "standalone",
                about =
                        "standalone: everything in this process; task: reads and orders; relay: reads some shards for a task;"
                                + " dumper: writes and serves.")
        RoleName role) {}
