package io.tributary.local.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The messages that a consumer of committed messages reads. */
public final class CommittedMessages {
    private static final Duration POLL = Duration.ofMillis(200);

    private CommittedMessages() {}

    /**
     * All messages that some topics have now, those of each partition in their order.
     *
     * @param brokers addresses, with commas between them
     */
    public static List<ConsumerRecord<byte[], byte[]>> of(String brokers, Predicate<String> topics) {
        Map<String, Object> settings = Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed");
        List<ConsumerRecord<byte[], byte[]>> messages = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.listTopics().entrySet().stream()
                    .filter(topic -> topics.test(topic.getKey()))
                    .flatMap(topic -> topic.getValue().stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(messages::add);
            }
        }
        return messages;
    }
}
