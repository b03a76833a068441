package io.tributary.node.command;

import picocli.CommandLine.Command;

/** The command {@code tributary apply}: shows the applier of a running node. */
@Command(
        name = "apply",
        description = "Shows the applier of a running node (node.role=apply).",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ReaderStatusCommand.class)
final class ApplyCommand {}
