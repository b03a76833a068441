package io.tributary.node.command;

import io.tributary.node.command.client.AdminPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The commands {@code tributary apply status} and {@code tributary sink status}. */
@Command(
        name = "status",
        description = {
            "Shows the status of a node that reads the binlog of another node: its state, the node that it reads, where it",
            "writes, what is done, how far it is behind, and where its time went."
        },
        mixinStandardHelpOptions = true)
final class ReaderStatusCommand implements Callable<Integer> {
    @Mixin
    private AdminPage page;

    @Override
    public Integer call() throws InterruptedException {
        return page.print("/status");
    }
}
