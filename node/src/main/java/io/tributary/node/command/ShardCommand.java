package io.tributary.node.command;

import picocli.CommandLine.Command;

/** The command {@code tributary shard}: adds and removes shards, and leaves out transactions. */
@Command(
        name = "shard",
        description = "Adds a shard to a running node, removes one, or leaves out a transaction of one.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ShardRequestCommand.Add.class, ShardRequestCommand.Remove.class, ShardSkipCommand.class})
final class ShardCommand {}
