package io.tributary.system.sink;

import io.tributary.local.kafka.CommittedMessages;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A message as a consumer of committed messages has read it.
 *
 * @param number of its transaction in the stream
 * @param row of the transaction, -1: it is no row
 */
record SentRow(TopicPartition partition, long number, long row, boolean isLast, String value) {
    /** All committed messages of the topics of a schema, in the order of each partition. */
    static List<SentRow> all(String brokers, String schema) {
        return CommittedMessages.of(brokers, topic -> topic.startsWith(schema + ".")).stream()
                .map(SentRow::of)
                .toList();
    }

    private static SentRow of(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        String gtid = headers.get("gtid");
        return new SentRow(
                new TopicPartition(record.topic(), record.partition()),
                Long.parseLong(gtid.substring(gtid.lastIndexOf(':') + 1)),
                Long.parseLong(headers.getOrDefault("row", "-1")),
                headers.containsKey("last"),
                record.value() == null ? null : new String(record.value(), StandardCharsets.UTF_8));
    }

    boolean isRow() {
        return row >= 0;
    }

    /** Number and row. */
    String place() {
        return number + "/" + row;
    }

    /** The rows of one partition. */
    static Map<TopicPartition, List<SentRow>> byPartition(List<SentRow> rows) {
        return rows.stream().collect(Collectors.groupingBy(SentRow::partition));
    }
}
