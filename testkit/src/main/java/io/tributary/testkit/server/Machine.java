package io.tributary.testkit.server;

import java.util.List;
import java.util.stream.Stream;

/**
 * A machine on which a process runs.
 *
 * @param address its address, on which processes listen
 * @param enter prefix of commands that run there; empty for this machine
 */
public record Machine(String address, List<String> enter) {
    /** This machine, on loopback. */
    public static final Machine LOOPBACK = new Machine("127.0.0.1", List.of());

    public Machine {
        enter = List.copyOf(enter);
    }

    /** The command that runs this one there. */
    public List<String> command(List<String> command) {
        return Stream.concat(enter.stream(), command.stream()).toList();
    }
}
