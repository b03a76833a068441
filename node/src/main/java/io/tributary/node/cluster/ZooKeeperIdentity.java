package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Optional;
import java.util.UUID;

/** Identity of the cluster that uses a path in ZooKeeper: its name and the UUID of its GTIDs, written once by the first Dumper. */
final class ZooKeeperIdentity {
    private final ZooKeeperTree tree;
    private final String cluster;

    /** @param cluster the expected name */
    ZooKeeperIdentity(ZooKeeperTree tree, String cluster) {
        this.tree = tree;
        this.cluster = cluster;
    }

    /** As {@link Coordinator#identify}. */
    UUID identify(Optional<UUID> kept, UUID fresh) {
        NodeRecord named = NodeRecord.none().with("cluster", cluster).with("uuid", kept.orElse(fresh));
        NodeRecord ours = kept.isPresent() ? named.withFlag("files") : named;
        NodeRecord known = tree.createIfAbsent(ZooKeeperTree.IDENTITY, ours).fields();
        String name = known.text("cluster").orElse("");
        UUID uuid = known.text("uuid").map(UUID::fromString).orElseThrow();
        if (!name.equals(cluster)) {
            throw mismatch("cluster.id " + cluster, name, "give this cluster a cluster.path of its own");
        }
        if (kept.isPresent() && !kept.get().equals(uuid)) {
            throw mismatch(
                    "the cluster of this node's binlog, whose UUID is " + kept.get(),
                    "the one with UUID " + uuid,
                    "check to which of the two this node belongs; to start it again from nothing, give it an empty binlog.directory");
        }
        return uuid;
    }

    private TributaryException mismatch(String expected, String found, String remedy) {
        return new TributaryException(
                ErrorCode.CLUSTER_MISMATCH,
                "expected " + expected + " at " + tree.where() + ", found " + found + ": " + remedy);
    }

    /** As {@link Coordinator#identity}. */
    Optional<UUID> known() {
        Optional<NodeRecord> known =
                tree.readInAnySession(ZooKeeperTree.IDENTITY).map(SharedTree.Node::fields);
        known.flatMap(fields -> fields.text("cluster"))
                .filter(name -> !name.equals(cluster))
                .ifPresent(name -> {
                    throw mismatch("cluster.id " + cluster, name, "give this cluster a cluster.path of its own");
                });
        return known.flatMap(fields -> fields.text("uuid")).map(UUID::fromString);
    }
}
