package io.tributary.node.cluster;

/**
 * That a node does something now.
 *
 * @param what {@code pipeline}, {@code backup}, or {@link #RELAY} and the name of a shard
 * @param node its id
 * @param epoch of the leader for whom it does it
 */
public record Claim(String what, String node, long epoch) {
    /** In front of the name of a shard that a relay reads. */
    public static final String RELAY = "relay-";
}
