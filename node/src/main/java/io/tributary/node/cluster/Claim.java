package io.tributary.node.cluster;

/**
 * That a node does something now.
 *
 * @param what such as {@code pipeline} or {@code relay-eu}
 * @param node its id
 * @param epoch of the leader for whom it does it
 */
public record Claim(String what, String node, long epoch) {}
