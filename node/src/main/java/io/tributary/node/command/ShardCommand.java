package io.tributary.node.command;

import picocli.CommandLine.Command;

/** What an operator orders for one shard. */
@Command(
        name = "shard",
        description = "Orders something for one shard.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ShardSkipCommand.class)
final class ShardCommand {}
