package io.tributary.node.command;

import io.tributary.node.command.client.AdminPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code tributary status}: shows the status of a running node, or the last cut in the files of a stopped one. */
@Command(
        name = "status",
        description = "Shows the status of a running node: stages, links, shards, lag, binlog position.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private AdminPage page;

    @Option(
            names = "--offline",
            description =
                    "Reads the binlog directory instead of asking the node, which may be stopped, and shows the position up to"
                            + " which each shard was read.")
    private boolean isOffline;

    @Override
    public Integer call() throws InterruptedException {
        return isOffline ? page.printStored() : page.print("/status");
    }
}
