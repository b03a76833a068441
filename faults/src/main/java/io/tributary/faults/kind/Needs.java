package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import java.util.List;
import java.util.Optional;

/** What faults may need, and the words for its absence. */
final class Needs {
    private Needs() {}

    static Optional<String> nodes(Site site, List<Role> roles) {
        return site.nodes(roles).isEmpty()
                ? Optional.of("topology " + site.topology() + " has no such process")
                : Optional.empty();
    }

    static Optional<String> link(Site site, Link link) {
        return site.link(link).isPresent()
                ? Optional.empty()
                : Optional.of("topology " + site.topology() + " has no link between " + link.words());
    }

    static Optional<String> disk(Site site) {
        return site.disk().isPresent()
                ? Optional.empty()
                : Optional.of("no C compiler for the library between Dumper and disk");
    }
}
