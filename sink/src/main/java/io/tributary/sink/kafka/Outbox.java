package io.tributary.sink.kafka;

import io.tributary.changes.ChangeTransaction;
import io.tributary.common.value.TableName;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends messages to Kafka and commits the place that they reach. For one thread at a time, but for {@link #committed}. */
public interface Outbox extends AutoCloseable {
    /**
     * Sends a message. May block until the producer has room.
     *
     * @param note table, place and handle key of its row, for the error that it is too large; "" for a small one
     * @throws io.tributary.common.error.TributaryException an error of this message or of an earlier one
     */
    void send(ProducerRecord<byte[], byte[]> message, String note);

    /** Stores, with the next place, that rows of a table were sent to a topic. */
    void sentTo(String topic, TableName table);

    /**
     * Commits all messages that were sent, and the place with them.
     *
     * @param transactions that have ended since the last call
     * @param waits whether the place must be stored on return
     */
    void commit(SinkPlace place, long transactions, boolean waits);

    /** Sees to what has happened since the last call; throws the error of a message. */
    void poll();

    /** The newest transaction whose place is stored, null for none. Any thread. */
    ChangeTransaction committed();

    /** Aborts what is not committed, and closes the producer. */
    @Override
    void close();
}
