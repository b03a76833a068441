package io.tributary.node.status;

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
     */
    public record Work(long rows, long commits, long memory, long mostMemory) {}
}
