package io.tributary.node.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What concerns distributed transactions. */
@Command(
        name = "xa",
        description = "Shows distributed transactions.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = XaCommand.ListCommand.class)
final class XaCommand {
    /** Lists the distributed transactions that are not emitted. */
    @Command(
            name = "list",
            description = {
                "Lists the distributed transactions that a running node has read and not emitted, the oldest first:",
                "their shards and states, where they were prepared, what they wait for, what to do."
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
