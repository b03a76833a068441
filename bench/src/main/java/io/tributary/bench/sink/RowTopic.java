package io.tributary.bench.sink;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of one partition that receives a message for each row. It is deleted at the end. */
final class RowTopic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int EMPTY_POLLS = 25;

    private final String brokers;
    private final String name;
    private final TopicPartition partition;
    private final Admin admin;

    /** Creates it. */
    RowTopic(String brokers, String name) throws InterruptedException, ExecutionException {
        this.brokers = brokers;
        this.name = name;
        this.partition = new TopicPartition(name, 0);
        this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers));
        admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.of((short) 1))))
                .all()
                .get();
    }

    String name() {
        return name;
    }

    /** The offset after its last record; the ends of Kafka transactions have offsets, too. */
    long end() throws InterruptedException, ExecutionException {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    /**
     * Reads its committed messages; returns their number.
     *
     * @param all after how many the reading ends; it also ends if for five seconds there is no further one. More are counted if they are there
     * @param each receives each of them
     */
    long read(long all, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed");
        long messages = 0;
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            int empty = 0;
            while (messages < all && empty < EMPTY_POLLS) {
                ConsumerRecords<byte[], byte[]> found = consumer.poll(POLL);
                found.forEach(each);
                messages += found.count();
                empty = found.isEmpty() ? empty + 1 : 0;
            }
            messages += consumer.poll(POLL).count();
        }
        return messages;
    }

    @Override
    public void close() {
        admin.deleteTopics(List.of(name));
        admin.close();
    }
}
