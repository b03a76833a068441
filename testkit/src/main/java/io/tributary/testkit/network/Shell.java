package io.tributary.testkit.network;

import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlTools.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Runs commands, all or up to the first that fails. */
final class Shell {
    private Shell() {}

    /** @throws IllegalStateException with what the one that failed said */
    static void run(String... commands) {
        runIn(List.of(), commands);
    }

    /** The same behind a command that takes another. */
    static void runIn(List<String> enter, String... commands) {
        List<String> command = new ArrayList<>(enter);
        command.addAll(List.of("/bin/sh", "-ec", String.join("\n", commands)));
        Outcome outcome = MysqlTools.run(command);
        if (outcome.status() != 0) {
            throw new IllegalStateException("expected this to work: " + String.join("; ", commands) + "; status "
                    + outcome.status() + ": " + outcome.output().strip());
        }
    }
}
