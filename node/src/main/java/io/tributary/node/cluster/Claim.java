package io.tributary.node.cluster;

/**
 * A node's claim: states that this node does a piece of work now.
 *
 * @param what {@code pipeline}, {@code backup}, or {@link #RELAY} and the name of a shard
 * @param node its id
 * @param epoch of the leader that the work is for
 */
public record Claim(String what, String node, long epoch) {
    /** Prefix before the name of a shard that a relay reads. */
    public static final String RELAY = "relay-";
}
