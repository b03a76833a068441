package io.tributary.node.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks a running node for its status, or reads what the files of a stopped one tell. */
@Command(
        name = "status",
        description = "Shows what a running node does: stages, links, shards, lag, binlog position.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private AdminPage page;

    @Option(
            names = "--offline",
            description =
                    "Does not ask the node, which may be stopped: reads its binlog folder, and shows up to where each shard was read.")
    private boolean isOffline;

    @Override
    public Integer call() throws InterruptedException {
        return isOffline ? page.printStored() : page.print("/status");
    }
}
