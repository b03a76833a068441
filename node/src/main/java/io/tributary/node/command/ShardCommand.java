package io.tributary.node.command;

import io.tributary.node.command.seed.ShardReseedCommand;
import picocli.CommandLine.Command;

/** The command {@code tributary shard}: lists, adds and removes shards, leaves out transactions, and reads a shard again whose changes were lost. */
@Command(
        name = "shard",
        description =
                "Lists the shards of a running node, adds one, removes one, leaves out a transaction of one, or reads one again whose changes were lost.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ShardListCommand.class,
            ShardRequestCommand.Add.class,
            ShardRequestCommand.Remove.class,
            ShardSkipCommand.class,
            ShardReseedCommand.class
        })
final class ShardCommand {}
