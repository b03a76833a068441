package io.tributary.node.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Asks a running node for its status. */
@Command(
        name = "status",
        description = "Shows what a running node does: stages, links, shards, lag, binlog position.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private AdminPage page;

    @Override
    public Integer call() throws InterruptedException {
        return page.print("/status");
    }
}
