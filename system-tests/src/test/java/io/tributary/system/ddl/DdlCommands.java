package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.util.ArrayList;
import java.util.List;

/** The commands of {@code bin/tributary} with the configuration file of one node. */
record DdlCommands(NodeProcess node) {
    MysqlTools.Outcome run(String... words) {
        return MysqlTools.run(line(words));
    }

    /** The command line. */
    List<String> line(String... words) {
        List<String> command = new ArrayList<>();
        command.add(NodeProcess.projectHome().resolve("bin/tributary").toString());
        command.addAll(List.of(words));
        command.addAll(List.of("-c", node.config().write(node.configFile()).toString()));
        return command;
    }

    void assertDone(String... words) {
        MysqlTools.Outcome outcome = run(words);
        assertEquals(0, outcome.status(), () -> List.of(words) + ": " + outcome.output() + node.lastLines());
    }

    /** Checks that the command is refused, and that its output contains all these parts. */
    void assertRefused(List<String> parts, String... words) {
        MysqlTools.Outcome outcome = run(words);
        assertNotEquals(0, outcome.status(), () -> List.of(words) + ": " + outcome.output());
        parts.forEach(part ->
                assertTrue(outcome.output().contains(part), () -> part + " in the output: " + outcome.output()));
    }
}
