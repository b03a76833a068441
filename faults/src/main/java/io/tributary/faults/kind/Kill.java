package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Nodes are killed (SIGKILL) at a random moment of their work, and started again.
 *
 * @param roles those of the nodes to kill, all at once
 */
public record Kill(String name, List<Role> roles) implements Fault {
    private static final int MOST_BETWEEN = 60;

    public Kill {
        roles = List.copyOf(roles);
    }

    /** The nodes of one role. */
    public static Kill of(Role role) {
        return new Kill("kill-" + role.name().toLowerCase(Locale.ROOT), List.of(role));
    }

    /** All nodes. */
    public static Kill all() {
        return new Kill("kill-all", List.of(Role.values()));
    }

    @Override
    public String words() {
        return "kill -9 of " + (roles.size() == 1 ? roles.get(0).name().toLowerCase(Locale.ROOT) : "all nodes at once")
                + ", started again at once";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.nodes(site, roles);
    }

    @Override
    public void inject(Site site, Strike strike) {
        site.awaitMore(1 + strike.random().nextInt(MOST_BETWEEN));
        List<NodeProcess> nodes = site.nodes(roles);
        strike.now();
        nodes.forEach(NodeProcess::kill9);
        nodes.forEach(NodeProcess::launch);
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.nodes(roles).forEach(NodeProcess::awaitHealthy);
    }
}
