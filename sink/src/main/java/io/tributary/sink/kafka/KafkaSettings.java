package io.tributary.sink.kafka;

import io.tributary.common.gtid.Sid;
import io.tributary.sink.Guarantee;
import io.tributary.sink.SinkPlan;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the Kafka clients of a sink. */
public final class KafkaSettings {
    private static final int BATCH_BYTES = 256 << 10;
    private static final int OVERHEAD = 1 << 20;
    private static final int LINGER_MILLIS = 5;
    private static final int IN_FLIGHT = 5;
    private static final int MEMORY_PART = 4;
    private static final long RECONNECT_MILLIS = 2_000;

    private final SinkPlan plan;
    private final Sid stream;

    public KafkaSettings(SinkPlan plan, Sid stream) {
        this.plan = plan;
        this.stream = stream;
    }

    /** {@code tributary-<stream>-<sink>}. */
    public String transactionalId() {
        return "tributary-" + stream + "-" + plan.name();
    }

    private Map<String, Object> all() {
        Map<String, Object> all = new HashMap<>();
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, "tributary-sink-" + plan.name());
        all.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MILLIS);
        all.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
        all.put("enable.metrics.push", false);
        all.putAll(plan.target().settings());
        int request = millis(plan.limits().timeouts().request());
        all.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, request);
        all.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, request);
        return all;
    }

    private static int millis(java.time.Duration duration) {
        return (int) Math.min(Integer.MAX_VALUE, duration.toMillis());
    }

    Admin admin() {
        return made(() -> Admin.create(all()));
    }

    Consumer<byte[], byte[]> consumer() {
        Map<String, Object> all = all();
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return made(() -> new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    Producer<byte[], byte[]> producer() {
        return made(() -> new KafkaProducer<>(producing(), new ByteArraySerializer(), new ByteArraySerializer()));
    }

    private Map<String, Object> producing() {
        SinkPlan.Limits limits = plan.limits();
        int largest = (int) Math.min(Integer.MAX_VALUE, (long) limits.messageBytes() + OVERHEAD);
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        all.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, IN_FLIGHT);
        all.put(
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                Math.max(limits.memory() / MEMORY_PART, largest + (long) OVERHEAD));
        all.putAll(all());
        int delivery = millis(limits.timeouts().delivery());
        int request = (int) all.get(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG);
        int linger = Integer.parseInt(all.get(ProducerConfig.LINGER_MS_CONFIG).toString());
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, true);
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, largest);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.max(delivery, request + linger));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) delivery);
        if (plan.delivery().guarantee() == Guarantee.EXACTLY_ONCE) {
            all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId());
            all.put(
                    ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                    millis(limits.timeouts().transaction()));
        }
        return all;
    }

    private <T> T made(java.util.function.Supplier<T> client) {
        try {
            return client.get();
        } catch (KafkaException e) {
            throw KafkaErrors.ofSettings(e);
        }
    }
}
