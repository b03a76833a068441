package io.tributary.faults.kind;

import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.network.PrivateMachine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fault: a node's machine loses its power. The link is cut, the node is killed, and the state of the machine's kernel is lost, so no connection is
 * closed or reset. The machine returns at the same address with its files, when readers are served without it.
 *
 * @param how the shortest time until it returns
 */
public record MachineGone(Role role, Duration how) implements Fault {
    private static final int MOST_BETWEEN = 60;

    @Override
    public String name() {
        return "machine-gone-" + role;
    }

    @Override
    public String words() {
        return "the machine of the " + role + " fails without closing connections, for " + how.toMillis() + " ms"
                + " and until readers receive new transactions without it; it returns with its files"
                + " (link down, kill -9, new network namespace)";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.nodes(cluster, List.of(role)).or(() -> FaultRequirements.packets(cluster));
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        var unused = cluster.nodes(List.of(role)); // waits until a node has this role
        cluster.awaitMore(1 + injection.random().nextInt(MOST_BETWEEN));
        NodeProcess node = cluster.nodes(List.of(role)).get(0);
        PrivateMachine machine = cluster.machine(node).orElseThrow();
        machine.unplug();
        injection.now();
        node.kill9();
        machine.vanish();
        injection.last(how);
        injection.awaitServed(TestCluster.LIMIT);
        node.on(machine.start().place()).launch();
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
