package io.tributary.dumper.serve;

import io.tributary.common.config.Key;
import java.time.Duration;

/** How readers get the binlog. */
public record DumpConfig(
        @Key(
                value = "serve.semi-sync.wait-for",
                byDefault = "0",
                min = "0",
                max = "64",
                about = "Semi-sync readers that must have acknowledged a transaction before any other reader sees it;"
                        + " 0: nobody waits for them.")
        int semiSyncWaitFor,

        @Key(
                value = "serve.semi-sync.timeout",
                byDefault = "10s",
                min = "10ms",
                max = "1d",
                about =
                        "How long to wait for them; then all readers go on without, until the semi-sync ones have caught up.")
        Duration semiSyncTimeout,

        @Key(
                value = "serve.write-timeout",
                byDefault = "10min",
                min = "100ms",
                max = "1d",
                about = "A reader that takes nothing of what waits to be sent to it for so long is disconnected.")
        Duration writeTimeout) {}
