package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What faults may need, and the words for its absence. */
final class Needs {
    private Needs() {}

    static Optional<String> nodes(Site site, List<Role> roles) {
        return site.nodes(roles).isEmpty()
                ? Optional.of("topology " + site.topology() + " has no " + words(roles))
                : Optional.empty();
    }

    private static String words(List<Role> roles) {
        return roles.stream().map(Role::toString).collect(Collectors.joining(", "));
    }

    static Optional<String> link(Site site, Link link) {
        return site.link(link).isPresent()
                ? Optional.empty()
                : Optional.of("topology " + site.topology() + " has no proxy between " + link.words());
    }

    static Optional<String> packets(Site site) {
        return site.allNodes().stream().allMatch(node -> site.machine(node).isPresent())
                ? Optional.empty()
                : Optional.of("topology " + site.topology() + " is on loopback, where no packet is lost");
    }

    static Optional<String> disk(Site site, Role role) {
        return nodes(site, List.of(role))
                .or(() -> site.disk(site.nodes(List.of(role)).get(0)).isPresent()
                        ? Optional.empty()
                        : Optional.of("no C compiler for the library between Dumper and disk"));
    }

    static Optional<String> zookeeper(Site site) {
        return site.zookeeper().isPresent()
                ? Optional.empty()
                : Optional.of("topology " + site.topology() + " has no ZooKeeper");
    }
}
