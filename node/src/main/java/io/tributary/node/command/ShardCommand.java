package io.tributary.node.command;

import picocli.CommandLine.Command;

/** What an operator orders for one shard. */
@Command(
        name = "shard",
        description = "Adds a shard to a running node, removes one, or orders something for one.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ShardRequestCommand.Add.class, ShardRequestCommand.Remove.class, ShardSkipCommand.class})
final class ShardCommand {}
