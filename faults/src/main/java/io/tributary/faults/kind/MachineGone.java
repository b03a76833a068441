package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.network.PrivateMachine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A node's machine loses its power: its cable is pulled, the node is killed, and what the machine's kernel knew is gone, so that no connection
 * is ever closed or reset. It comes back at the same address, with the files it had, when the others have
 * shown that they can do without it.
 *
 * @param how how long it is away, at the least
 */
public record MachineGone(Role role, Duration how) implements Fault {
    private static final int MOST_BETWEEN = 60;

    @Override
    public String name() {
        return "machine-gone-" + role;
    }

    @Override
    public String words() {
        return "the machine of the " + role + " is gone without a word, for " + how.toMillis() + " ms"
                + " and until readers get new transactions without it; it comes back with its files (link down, kill -9, another network namespace)";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.nodes(site, List.of(role)).or(() -> Needs.packets(site));
    }

    @Override
    public void inject(Site site, Strike strike) {
        var unused = site.nodes(List.of(role)); // waits until one has that role
        site.awaitMore(1 + strike.random().nextInt(MOST_BETWEEN));
        NodeProcess node = site.nodes(List.of(role)).get(0);
        PrivateMachine machine = site.machine(node).orElseThrow();
        machine.unplug();
        strike.now();
        node.kill9();
        machine.vanish();
        strike.last(how);
        strike.awaitServed(Site.LIMIT);
        node.on(machine.start().place()).launch();
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
