package io.tributary.serve.select;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.time.Duration;

/** The configuration keys of SELECTs on tables. */
public record SelectConfig(
        @Key(
                value = "serve.select",
                byDefault = "false",
                about = "Whether SELECTs on tables are answered from the shards, for tools that copy tables before they"
                        + " read the binlog. The node needs the keys shard.*, table.map.*, filter.schemas and ddl.hidden of the Task. A user"
                        + " needs the right replication.")
        boolean enabled,

        @Key(
                value = "serve.select.running",
                byDefault = "4",
                min = "1",
                max = "256",
                about =
                        "Maximum number of SELECTs on tables at a time; further ones wait. Each has one connection to each"
                                + " shard.")
        int running,

        @Key(
                value = "serve.select.user-running",
                byDefault = "3",
                min = "1",
                max = "256",
                about = "Maximum number of SELECTs on tables of one user at a time; further ones wait.")
        int ofUser,

        @Key(
                value = "serve.select.row",
                byDefault = "16MiB",
                min = "64KiB",
                max = "1GiB",
                about =
                        "Longest row of a SELECT on a table. The rows in memory are a part of serve.memory, those above 64KiB with"
                                + " twice their length.")
        ByteSize row,

        @Key(
                value = "serve.select.timeout",
                byDefault = "1min",
                min = "100ms",
                max = "1h",
                about =
                        "Maximum time for a SELECT on a table to begin, and for the binlog to contain afterwards what the"
                                + " shards had executed.")
        Duration timeout,

        @Key(
                value = "serve.select.longest",
                byDefault = "6h",
                min = "1s",
                max = "7d",
                about =
                        "Maximum duration of a SELECT on a table; a client may set a shorter one for its session with SET"
                                + " max_execution_time. A longer one ends with error 3024, also on the shards.")
        Duration longest,

        @Key(
                value = "serve.select.stall",
                byDefault = "10min",
                min = "1s",
                max = "1d",
                about =
                        "A SELECT on a table ends with an error if its client reads nothing, or a shard sends nothing, for"
                                + " so long.")
        Duration stall) {}
