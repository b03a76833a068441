package io.tributary.testkit.network;

import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlTools.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Runs shell commands in order, up to the first one that fails. */
final class Shell {
    private Shell() {}

    /** @throws IllegalStateException with the output of the command that failed */
    static void run(String... commands) {
        runIn(List.of(), commands);
    }

    /** The same with a prefix command, such as nsenter. */
    static void runIn(List<String> enter, String... commands) {
        List<String> command = new ArrayList<>(enter);
        command.addAll(List.of("/bin/sh", "-ec", String.join("\n", commands)));
        Outcome outcome = MysqlTools.run(command);
        if (outcome.status() != 0) {
            throw new IllegalStateException("command failed: " + String.join("; ", commands) + "; status "
                    + outcome.status() + ": " + outcome.output().strip());
        }
    }
}
