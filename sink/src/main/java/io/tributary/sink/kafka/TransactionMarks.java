package io.tributary.sink.kafka;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.changes.ChangeTransaction;
import io.tributary.common.value.TableName;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The records of the topic of transactions, as Debezium writes them: BEGIN before the first message of a transaction, END after its last one with the
 * number of messages of each table. A transaction without messages has none. For one thread.
 */
public final class TransactionMarks {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String topic;
    private final Map<TableName, Counted> counts = new LinkedHashMap<>();

    private static final class Counted {
        private long messages;
    }

    public TransactionMarks(String topic) {
        this.topic = topic;
    }

    /** Counts the messages of a table in the transaction; returns whether they are its first ones. */
    public boolean count(TableName table, long messages) {
        boolean isFirst = counts.isEmpty();
        counts.computeIfAbsent(table, name -> new Counted()).messages += messages;
        return isFirst;
    }

    /** Whether the transaction has messages. */
    public boolean hasBegun() {
        return !counts.isEmpty();
    }

    /** The record before the messages of a transaction. */
    public ProducerRecord<byte[], byte[]> begin(ChangeTransaction transaction) {
        ObjectNode value = value("BEGIN", transaction);
        value.putNull("event_count");
        value.putNull("data_collections");
        return record(transaction, value);
    }

    /** The record after them; the next transaction is counted from 0. */
    public ProducerRecord<byte[], byte[]> end(ChangeTransaction transaction) {
        ObjectNode value = value("END", transaction);
        long all = 0;
        for (Counted one : counts.values()) {
            all += one.messages;
        }
        value.put("event_count", all);
        ArrayNode tables = value.putArray("data_collections");
        counts.forEach((table, counted) ->
                tables.addObject().put("data_collection", table.toString()).put("event_count", counted.messages));
        counts.clear();
        return record(transaction, value);
    }

    private static ObjectNode value(String status, ChangeTransaction transaction) {
        return JSON.createObjectNode()
                .put("status", status)
                .put("id", transaction.gtid().toString())
                .put("ts_ms", TimeUnit.MICROSECONDS.toMillis(transaction.committedMicros()));
    }

    /** All records are in the first partition, in the order of the stream. */
    private ProducerRecord<byte[], byte[]> record(ChangeTransaction transaction, ObjectNode value) {
        ObjectNode key = JSON.createObjectNode().put("id", transaction.gtid().toString());
        return new ProducerRecord<>(
                topic,
                0,
                key.toString().getBytes(StandardCharsets.UTF_8),
                value.toString().getBytes(StandardCharsets.UTF_8));
    }
}
