package io.tributary.node.status;

import io.tributary.common.value.TableName;
import java.util.Optional;

/** The status of a sink. */
public record SinkStatus(ReaderStatus reader, Way way, Work work) implements StatusPart {
    /** Where and how it sends. */
    public record Way(String brokers, String protocol, String delivery, String progressTopic) {}

    /**
     * What it has done since the start of the node.
     *
     * @param rows whose messages were sent
     * @param commits Kafka transactions, or places, that were committed
     * @param memory bytes of events and messages in memory now
     * @param mostMemory its limit
     * @param copy the table of the snapshot that is being sent, and how many of all its rows were; empty if none are being sent
     */
    public record Work(long rows, long commits, long memory, long mostMemory, Optional<Copy> copy) {}

    /** How far the rows of a snapshot are sent. */
    public record Copy(TableName table, long rows) {}
}
