package io.tributary.node.command;

import io.tributary.node.command.client.AdminPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code tributary xa}: shows distributed transactions. */
@Command(
        name = "xa",
        description = "Shows distributed transactions.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = XaCommand.ListCommand.class)
final class XaCommand {
    /** {@code tributary xa list}. */
    @Command(
            name = "list",
            description = {
                "Lists the distributed transactions that a running node has read and not emitted, oldest first:",
                "their shards and states, the positions of their PREPARE, what they wait for, and what to do."
            },
            mixinStandardHelpOptions = true)
    static final class ListCommand implements Callable<Integer> {
        @Mixin
        private AdminPage page;

        @Override
        public Integer call() throws InterruptedException {
            return page.print("/xa");
        }
    }
}
