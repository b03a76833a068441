package io.tributary.node.cluster;

import java.util.Optional;

/**
 * A node as it is known to its cluster's coordinator.
 *
 * @param cluster name of the cluster
 * @param node name of the node; empty for a client that is not a member
 * @param process that runs it; empty if that is not known
 */
public record NodeIdentity(String cluster, String node, Optional<ProcessIdentity> process) {
    /** The identity of a node that this process runs. */
    public static NodeIdentity own(String cluster, String node) {
        return new NodeIdentity(cluster, node, ProcessIdentity.own());
    }
}
