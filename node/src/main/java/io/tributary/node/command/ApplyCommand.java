package io.tributary.node.command;

import io.tributary.node.command.client.AdminPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code tributary apply}: shows the applier of a running node. */
@Command(
        name = "apply",
        description = "Shows the applier of a running node (node.role=apply).",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ApplyCommand.StatusOfApplier.class)
final class ApplyCommand {
    /** {@code tributary apply status}. */
    @Command(
            name = "status",
            description = {
                "Shows the status of an applier: its state, the node that it reads, its target, what is applied,",
                "how far the target is behind, and where its time went."
            },
            mixinStandardHelpOptions = true)
    static final class StatusOfApplier implements Callable<Integer> {
        @Mixin
        private AdminPage page;

        @Override
        public Integer call() throws InterruptedException {
            return page.print("/status");
        }
    }
}
