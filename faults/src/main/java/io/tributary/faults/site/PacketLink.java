package io.tributary.faults.site;

import io.tributary.testkit.network.PrivateMachine;
import java.util.List;

/**
 * The packets between some machines and others of a private network.
 *
 * @param machines at one end
 * @param others addresses of the other end
 * @param listen whether the machines are those that listen, and the others connect to them
 */
public record PacketLink(List<PrivateMachine> machines, List<String> others, boolean listen) {
    public PacketLink {
        machines = List.copyOf(machines);
        others = List.copyOf(others);
    }

    static PacketLink to(PrivateMachine listener, List<String> others) {
        return new PacketLink(List.of(listener), others, true);
    }

    /** Drops packets from now on, towards those who listen, from them, or both; nobody is told. */
    public void drop(boolean there, boolean back) {
        boolean got = listen ? there : back;
        boolean sent = listen ? back : there;
        machines.forEach(machine -> machine.drop(sent ? others : List.of(), got ? others : List.of()));
    }

    /** Drops none any more. */
    public void pass() {
        machines.forEach(PrivateMachine::pass);
    }
}
