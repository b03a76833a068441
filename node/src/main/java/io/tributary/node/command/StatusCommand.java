package io.tributary.node.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks a running node for its status. */
@Command(
        name = "status",
        description = "Shows what a running node does: stages, links, shards, lag, binlog position.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The node's configuration.")
    private Path file;

    @Option(names = "--json", description = "As JSON.")
    private boolean asJson;

    @Override
    public Integer call() throws InterruptedException {
        return AdminPage.print(file, "/status", asJson, spec.commandLine().getOut());
    }
}
