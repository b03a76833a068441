package io.tributary.node.sink;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.sink.Guarantee;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The configuration keys of how a sink sends. */
public record SinkDeliveryConfig(
        @Key(
                value = "sink.delivery",
                byDefault = "exactly-once",
                about =
                        "exactly-once: with Kafka transactions, for consumers with isolation.level=read_committed; at-least-once: after"
                                + " an error, messages may come again.")
        Guarantee guarantee,

        Commits commits,
        Large large,
        Claims claims) {
    /** When a Kafka transaction ends. */
    public record Commits(
            @Key(
                    value = "sink.commit.interval",
                    byDefault = "100ms",
                    min = "1ms",
                    max = "1min",
                    about =
                            "Time after which a Kafka transaction ends, at the next end of a transaction of the binlog.")
            Duration interval,

            @Key(
                    value = "sink.commit.rows",
                    byDefault = "20000",
                    min = "1",
                    max = "1000000",
                    about =
                            "Messages after which a Kafka transaction ends, at the next end of a transaction of the binlog.")
            int rows,

            @Key(
                    value = "sink.commit.bytes",
                    byDefault = "32MiB",
                    min = "1KiB",
                    about =
                            "Bytes of messages after which a Kafka transaction ends, at the next end of a transaction of the binlog.")
            ByteSize bytes,

            @Key(
                    value = "sink.transaction.timeout",
                    byDefault = "15min",
                    min = "1s",
                    max = "1d",
                    about =
                            "How long a Kafka transaction may take; at most transaction.max.timeout.ms of the brokers, which is 15"
                                    + " minutes by default.")
            Duration transaction,

            @Key(
                    value = "sink.large",
                    byDefault = "whole",
                    about =
                            "A transaction of the binlog that is larger than sink.commit.*: whole: it is one Kafka transaction; split:"
                                    + " it is sent in several.")
            LargeTransactions large) {}

    /** What is done with a large transaction of the binlog. */
    public enum LargeTransactions {
        WHOLE,
        SPLIT
    }

    /** Large messages. */
    public record Large(
            @Key(
                    value = "sink.message.bytes",
                    byDefault = "10MiB",
                    min = "1KiB",
                    max = "1GiB",
                    about =
                            "Bytes of a message, key and value, before compression, at most. The brokers have a limit of their own"
                                    + " (max.message.bytes), after compression.")
            ByteSize bytes,

            @Key(
                    value = "sink.large-message",
                    byDefault = "error",
                    about =
                            "What is done with a larger message: error: the sink is held; claim-check: it is stored, and its location"
                                    + " is sent with the columns of the key; handle-key: only the columns of the key are sent.")
            LargeMessages.Kind treatment) {}

    /** Where large messages are stored. */
    public record Claims(
            @Key(
                    value = "sink.claim.directory",
                    about =
                            "Folder for large messages (sink.large-message=claim-check), such as a mount that consumers have too; not"
                                    + " set: the bucket backup.s3.bucket.")
            Optional<Path> directory,

            @Key(
                    value = "sink.claim.prefix",
                    byDefault = "tributary-messages",
                    about = "Name of the folder or key prefix under which large messages are stored.")
            String prefix) {}

    /** When a Kafka transaction ends. */
    SinkPlan.Commit commit() {
        return new SinkPlan.Commit(commits.interval, commits.rows, commits.bytes.bytes());
    }

    /** Whether a large transaction of the binlog is sent in several Kafka transactions. */
    boolean splits() {
        return commits.large == LargeTransactions.SPLIT;
    }
}
