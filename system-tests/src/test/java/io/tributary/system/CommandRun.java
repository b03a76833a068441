package io.tributary.system;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs commands of {@code bin/tributary} with a node's configuration. */
record CommandRun(NodeProcess node, Path folder) {
    /** What a command printed. */
    record Printed(int status, String out, String err) {}

    Printed run(String... arguments) throws IOException {
        return runWith(node.configFile(), arguments);
    }

    /** The same with another configuration file. */
    Printed runWith(Path config, String... arguments) throws IOException {
        Path errors = folder.resolve("errors");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2> '" + errors + "'", "sh"));
        command.add(NodeProcess.projectHome().resolve("bin/tributary").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-c", config.toString()));
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        return new Printed(outcome.status(), outcome.output(), Files.readString(errors));
    }
}
