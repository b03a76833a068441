package io.tributary.node.role;

import io.tributary.common.config.Key;

/**
 * The key that says what to do about another node that reads the same shards.
 *
 * @param takesOver whether this node takes the shards from it
 */
public record TakeoverConfig(
        @Key(
                value = "node.takeover",
                byDefault = "false",
                about =
                        "Whether this node takes its shards from another one that writes heartbeat rounds to them, which ends that node; tributary"
                                + " start --takeover sets it for one start, leave it out of the file.")
        boolean takesOver) {}
