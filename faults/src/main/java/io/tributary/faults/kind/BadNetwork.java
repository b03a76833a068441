package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Site;
import io.tributary.testkit.network.PrivateMachine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The network drops a share of all packets that nodes send, by dice.
 *
 * @param how how long
 */
public record BadNetwork(int percent, Duration how) implements Fault {
    @Override
    public String name() {
        return "bad-network";
    }

    @Override
    public String words() {
        return "the network drops " + percent + " % of all packets that nodes send, by dice, for " + how.toMillis()
                + " ms (packet filter at each port)";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.packets(site);
    }

    @Override
    public void inject(Site site, Strike strike) {
        List<PrivateMachine> machines = site.allNodes().stream()
                .map(node -> site.machine(node).orElseThrow())
                .toList();
        machines.forEach(machine -> machine.lose(percent));
        strike.now();
        strike.last(how);
        machines.forEach(PrivateMachine::pass);
        strike.healed();
    }
}
