package io.tributary.node.command;

import io.tributary.node.command.client.AdminPage;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tributary status}: shows the status of a running node, or the last cut in the files of a stopped one. */
@Command(
        name = "status",
        description = "Shows the status of a running node: stages, links, shards, lag, binlog position.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final int MAX_WAIT = 86_400;

    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminPage page;

    @Option(
            names = "--offline",
            description =
                    "Reads the binlog directory instead of asking the node, which may be stopped, and shows the position up to"
                            + " which each shard was read.")
    private boolean isOffline;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description =
                    "Waits until the node is ready to serve, at most so many seconds, 0 to 86400. If it is not ready then, the command"
                            + " prints why and its exit status is 1. Default: ${DEFAULT-VALUE}, which does not ask whether it is ready.")
    private int wait;

    @Override
    public Integer call() throws InterruptedException {
        if (wait < 0 || wait > MAX_WAIT) {
            throw new ParameterException(
                    spec.commandLine(), "--wait: expected 0 to " + MAX_WAIT + " seconds, found " + wait);
        }
        if (wait > 0 && !isOffline) {
            page.awaitReady(Duration.ofSeconds(wait));
        }
        return isOffline ? page.printStored() : page.print("/status");
    }
}
