package io.tributary.system.sink;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A message as a consumer of committed messages has read it.
 *
 * @param number of its transaction in the stream
 * @param row of the transaction, -1: it is no row
 */
record SentRow(TopicPartition partition, long number, long row, boolean isLast, String value) {
    /** All committed messages of the topics of a schema, in the order of each partition. */
    static List<SentRow> all(String brokers, String schema) {
        Map<String, Object> settings = Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed");
        List<SentRow> rows = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.listTopics().entrySet().stream()
                    .filter(topic -> topic.getKey().startsWith(schema + "."))
                    .flatMap(topic -> topic.getValue().stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> rows.add(of(record)));
            }
        }
        return rows;
    }

    private static SentRow of(ConsumerRecord<String, String> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        String gtid = headers.get("gtid");
        return new SentRow(
                new TopicPartition(record.topic(), record.partition()),
                Long.parseLong(gtid.substring(gtid.lastIndexOf(':') + 1)),
                Long.parseLong(headers.getOrDefault("row", "-1")),
                headers.containsKey("last"),
                record.value());
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
