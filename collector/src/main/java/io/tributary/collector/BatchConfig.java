package io.tributary.collector;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;

/** The configuration keys of encoding: how many transactions are sent together, and by how many threads. */
public record BatchConfig(
        @Key(
                value = "collect.batch",
                byDefault = "256KiB",
                min = "1KiB",
                max = "16MiB",
                about = "Bytes of transactions that are encoded and sent together.")
        ByteSize size,

        @Key(
                value = "collect.batch.transactions",
                byDefault = "2048",
                min = "1",
                max = "65536",
                about = "Transactions that are encoded and sent together.")
        int transactions,

        @Key(
                value = "collect.large",
                byDefault = "4MiB",
                min = "1KiB",
                max = "64MiB",
                about = "A transaction larger than this is sent in pieces and is never in memory as a whole.")
        ByteSize large,

        @Key(
                value = "collect.workers",
                byDefault = "1",
                min = "1",
                max = "64",
                about = "Threads that encode output transactions.")
        int workers) {}
