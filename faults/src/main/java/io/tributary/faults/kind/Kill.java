package io.tributary.faults.kind;

import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import java.util.List;
import java.util.Optional;

/**
 * Fault: nodes are killed (SIGKILL) at a random time under load, and started again.
 *
 * @param roles the roles of the nodes to kill at the same time; empty = all nodes
 */
public record Kill(String name, List<Role> roles) implements Fault {
    private static final int MOST_BETWEEN = 60;

    public Kill {
        roles = List.copyOf(roles);
    }

    /** A kill of the nodes of one role. */
    public static Kill of(Role role) {
        return new Kill("kill-" + role, List.of(role));
    }

    /** A kill of all nodes. */
    public static Kill all() {
        return new Kill("kill-all", List.of());
    }

    @Override
    public String words() {
        return "kill -9 of " + (roles.isEmpty() ? "all nodes at once" : "the " + roles.get(0))
                + ", started again at once";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return roles.isEmpty() ? Optional.empty() : FaultRequirements.nodes(cluster, roles);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        // Wait until nodes have these roles again, so that the kill hits working nodes.
        var unused = cluster.nodes(roles);
        cluster.awaitMore(1 + injection.random().nextInt(MOST_BETWEEN));
        List<NodeProcess> nodes = roles.isEmpty() ? cluster.allNodes() : cluster.nodes(roles);
        injection.now();
        nodes.forEach(NodeProcess::kill9);
        injection.inPlace();
        nodes.forEach(NodeProcess::launch);
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
