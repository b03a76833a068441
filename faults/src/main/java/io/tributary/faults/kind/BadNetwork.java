package io.tributary.faults.kind;

import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.network.PrivateMachine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fault: the network drops a random share of all packets that nodes send.
 *
 * @param how duration
 */
public record BadNetwork(int percent, Duration how) implements Fault {
    @Override
    public String name() {
        return "bad-network";
    }

    @Override
    public String words() {
        return "the network drops " + percent + " % of all packets that nodes send, at random, for " + how.toMillis()
                + " ms (packet filter at each port)";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.packets(cluster);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        List<PrivateMachine> machines = cluster.allNodes().stream()
                .map(node -> cluster.machine(node).orElseThrow())
                .toList();
        machines.forEach(machine -> machine.lose(percent));
        injection.now();
        injection.last(how);
        machines.forEach(PrivateMachine::pass);
        injection.repaired();
    }
}
