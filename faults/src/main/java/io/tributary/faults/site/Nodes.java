package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The shards and nodes of a topology.
 *
 * @param cluster its node is the one that writes and serves
 * @param byRole all nodes, in the order in which they are started
 */
record Nodes(LocalCluster cluster, Map<Role, List<NodeProcess>> byRole) {
    List<NodeProcess> all() {
        List<NodeProcess> all = new ArrayList<>();
        for (Role role : Role.values()) {
            all.addAll(of(role));
        }
        return all;
    }

    List<NodeProcess> of(Role role) {
        return byRole.getOrDefault(role, List.of());
    }

    List<NodeProcess> of(Collection<Role> roles) {
        return roles.stream().flatMap(role -> of(role).stream()).toList();
    }

    void start() {
        all().forEach(NodeProcess::launch);
        all().forEach(NodeProcess::awaitHealthy);
    }
}
