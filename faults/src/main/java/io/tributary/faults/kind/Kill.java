package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import java.util.List;
import java.util.Optional;

/**
 * Nodes are killed (SIGKILL) at a random moment of their work, and started again.
 *
 * @param roles those of the nodes to kill, all at once; none = every node
 */
public record Kill(String name, List<Role> roles) implements Fault {
    private static final int MOST_BETWEEN = 60;

    public Kill {
        roles = List.copyOf(roles);
    }

    /** The nodes of one role. */
    public static Kill of(Role role) {
        return new Kill("kill-" + role, List.of(role));
    }

    /** All nodes. */
    public static Kill all() {
        return new Kill("kill-all", List.of());
    }

    @Override
    public String words() {
        return "kill -9 of " + (roles.isEmpty() ? "all nodes at once" : "the " + roles.get(0))
                + ", started again at once";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return roles.isEmpty() ? Optional.empty() : Needs.nodes(site, roles);
    }

    @Override
    public void inject(Site site, Strike strike) {
        var unused =
                site.nodes(roles); // waits until they have their roles again: the kill comes in the midst of their work
        site.awaitMore(1 + strike.random().nextInt(MOST_BETWEEN));
        List<NodeProcess> nodes = roles.isEmpty() ? site.allNodes() : site.nodes(roles);
        strike.now();
        nodes.forEach(NodeProcess::kill9);
        strike.inPlace();
        nodes.forEach(NodeProcess::launch);
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
