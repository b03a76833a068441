package io.tributary.faults.site;

import io.tributary.testkit.network.PrivateMachine;
import java.util.List;

/**
 * The packets between some machines and others of a private network.
 *
 * @param machines the machines at one end
 * @param others the addresses of the other end
 * @param listen whether {@code machines} listen and the others connect to them
 */
public record PacketLink(List<PrivateMachine> machines, List<String> others, boolean listen) {
    public PacketLink {
        machines = List.copyOf(machines);
        others = List.copyOf(others);
    }

    static PacketLink to(PrivateMachine listener, List<String> others) {
        return new PacketLink(List.of(listener), others, true);
    }

    /** Drops packets from now on: to the side that listens, from it, or both. No process is informed. */
    public void drop(boolean there, boolean back) {
        boolean got = listen ? there : back;
        boolean sent = listen ? back : there;
        machines.forEach(machine -> machine.drop(sent ? others : List.of(), got ? others : List.of()));
    }

    /** Stops dropping packets. */
    public void pass() {
        machines.forEach(PrivateMachine::pass);
    }
}
