package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks the requirements of faults; each method returns the reason if a requirement is not met. */
final class FaultRequirements {
    private FaultRequirements() {}

    static Optional<String> nodes(TestCluster cluster, List<Role> roles) {
        return cluster.nodes(roles).isEmpty()
                ? Optional.of("topology " + cluster.topology() + " has no " + words(roles))
                : Optional.empty();
    }

    private static String words(List<Role> roles) {
        return roles.stream().map(Role::toString).collect(Collectors.joining(", "));
    }

    static Optional<String> link(TestCluster cluster, Link link) {
        return cluster.link(link).isPresent()
                ? Optional.empty()
                : Optional.of("topology " + cluster.topology() + " has no proxy between " + link.words());
    }

    static Optional<String> packets(TestCluster cluster) {
        return cluster.allNodes().stream()
                        .allMatch(node -> cluster.machine(node).isPresent())
                ? Optional.empty()
                : Optional.of("topology " + cluster.topology() + " is on loopback, where packets cannot be dropped");
    }

    static Optional<String> disk(TestCluster cluster, Role role) {
        return nodes(cluster, List.of(role))
                .or(() -> cluster.disk(cluster.nodes(List.of(role)).get(0)).isPresent()
                        ? Optional.empty()
                        : Optional.of("there is no C compiler for the library between Dumper and disk"));
    }

    static Optional<String> zookeeper(TestCluster cluster) {
        return cluster.zookeeper().isPresent()
                ? Optional.empty()
                : Optional.of("topology " + cluster.topology() + " has no ZooKeeper");
    }
}
