package io.tributary.node.role;

import io.tributary.common.config.Key;

/**
 * The key for the case that another node reads the same shards.
 *
 * @param takesOver whether this node takes over the shards from it
 */
public record TakeoverConfig(
        @Key(
                value = "node.takeover",
                byDefault = "false",
                about = "Whether this node takes over its shards from another node that writes heartbeat"
                        + " rounds to them; this ends the other node. `tributary start --takeover` sets"
                        + " the key for one start; do not set it in the file.")
        boolean takesOver) {}
