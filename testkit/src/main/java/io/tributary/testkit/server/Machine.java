package io.tributary.testkit.server;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a process runs.
 *
 * @param address at which it is reached, and listens
 * @param enter what its command begins with; nothing for here
 */
public record Machine(String address, List<String> enter) {
    /** Here, on loopback. */
    public static final Machine LOOPBACK = new Machine("127.0.0.1", List.of());

    public Machine {
        enter = List.copyOf(enter);
    }

    /** The command that runs this one there. */
    public List<String> command(List<String> command) {
        return Stream.concat(enter.stream(), command.stream()).toList();
    }
}
