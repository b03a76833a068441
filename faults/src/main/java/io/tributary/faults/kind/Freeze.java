package io.tributary.faults.kind;

import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fault: the nodes of a role are stopped (SIGSTOP) and resume later (SIGCONT).
 *
 * @param how how long they are stopped
 */
public record Freeze(Role role, Duration how) implements Fault {
    @Override
    public String name() {
        return "freeze-" + role;
    }

    @Override
    public String words() {
        return "SIGSTOP of the " + role + ", SIGCONT after " + how.toMillis() + " ms";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.nodes(cluster, List.of(role));
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        List<NodeProcess> nodes = cluster.nodes(List.of(role));
        injection.now();
        nodes.forEach(node -> node.process().pause());
        injection.inPlace();
        injection.last(how);
        nodes.forEach(node -> node.process().resume());
        injection.repaired();
    }
}
