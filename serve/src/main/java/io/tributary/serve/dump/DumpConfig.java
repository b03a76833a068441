package io.tributary.serve.dump;

import io.tributary.common.config.Key;
import java.time.Duration;

/** The configuration keys of dumps to readers. */
public record DumpConfig(
        @Key(
                value = "serve.semi-sync.wait-for",
                byDefault = "0",
                min = "0",
                max = "64",
                about = "Number of semi-sync readers that must have acknowledged a transaction before"
                        + " any other reader sees it; 0: no reader waits for them.")
        int semiSyncWaitFor,

        @Key(
                value = "serve.semi-sync.timeout",
                byDefault = "10s",
                min = "10ms",
                max = "1d",
                about = "How long readers wait for the semi-sync readers; after this time all readers"
                        + " continue without them, until the semi-sync readers have caught up.")
        Duration semiSyncTimeout,

        @Key(
                value = "serve.write-timeout",
                byDefault = "10min",
                min = "100ms",
                max = "1d",
                about = "A reader that receives none of the bytes that wait for it for this long is disconnected.")
        Duration writeTimeout) {}
