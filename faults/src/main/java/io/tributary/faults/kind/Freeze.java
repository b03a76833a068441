package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The nodes of a role are stopped where they are (SIGSTOP), and go on (SIGCONT) later.
 *
 * @param how how long they stand still
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
    public Optional<String> lacks(Site site) {
        return Needs.nodes(site, List.of(role));
    }

    @Override
    public void inject(Site site, Strike strike) {
        List<NodeProcess> nodes = site.nodes(List.of(role));
        strike.now();
        nodes.forEach(node -> node.process().pause());
        strike.inPlace();
        strike.last(how);
        nodes.forEach(node -> node.process().resume());
        strike.healed();
    }
}
