package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a topology without ZooKeeper: their roles never change.
 *
 * @param cluster its node writes and serves the binlog
 */
record FixedNodes(LocalCluster cluster, Map<Role, List<NodeProcess>> byRole) implements Nodes {
    @Override
    public List<NodeProcess> all() {
        List<NodeProcess> all = new ArrayList<>();
        for (Role role : Role.values()) {
            all.addAll(of(role));
        }
        return all;
    }

    @Override
    public List<NodeProcess> dumpers() {
        return List.of(cluster.node());
    }

    @Override
    public List<NodeProcess> of(Role role) {
        return byRole.getOrDefault(role, List.of());
    }

    @Override
    public NodeProcess leader() {
        return cluster.node();
    }
}
