package io.tributary.node.command;

import picocli.CommandLine.Command;

/** The command {@code tributary sink}: shows the sink of a running node. */
@Command(
        name = "sink",
        description = "Shows the Kafka sink of a running node (node.role=sink).",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ReaderStatusCommand.class)
final class SinkCommand {}
