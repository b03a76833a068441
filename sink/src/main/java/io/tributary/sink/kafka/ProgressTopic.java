package io.tributary.sink.kafka;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The topic with the place of each sink. For one thread. */
public final class ProgressTopic {
    private static final Duration POLL = Duration.ofMillis(200);

    private final String topic;
    private final byte[] key;
    private final KafkaSettings settings;
    private final Clock clock;

    /**
     * A place as it is stored.
     *
     * @param offset of its record
     */
    public record Stored(SinkPlace place, long offset) {}

    public ProgressTopic(String topic, String sink, KafkaSettings settings, Clock clock) {
        this.topic = topic;
        this.key = sink.getBytes(StandardCharsets.UTF_8);
        this.settings = settings;
        this.clock = clock;
    }

    /** The record that stores a place. */
    ProducerRecord<byte[], byte[]> record(SinkPlace place) {
        return new ProducerRecord<>(topic, 0, key, place.bytes());
    }

    /**
     * The newest place of the sink that is committed. Waits for the end of Kafka transactions that other sinks have open, because records after them are
     * not visible before.
     *
     * @param limit of this wait
     */
    public Optional<Stored> read(TopicCatalog catalog, Duration limit) {
        TopicPartition only = new TopicPartition(topic, 0);
        long end = catalog.end(topic);
        long deadline = clock.nanoTime() + limit.toNanos();
        Optional<Stored> newest = Optional.empty();
        try (Consumer<byte[], byte[]> consumer = settings.consumer()) {
            consumer.assign(List.of(only));
            consumer.seekToBeginning(List.of(only));
            while (consumer.position(only) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (Arrays.equals(record.key(), key) && record.value() != null) {
                        String where = "topic " + topic + " offset " + record.offset();
                        newest = Optional.of(new Stored(SinkPlace.parse(record.value(), where), record.offset()));
                    }
                }
                if (clock.nanoTime() - deadline > 0) {
                    throw new TributaryException(
                            ErrorCode.SINK_UNREACHABLE,
                            "topic of progress " + topic + ": expected all records up to offset " + end + " within "
                                    + limit.toSeconds() + " s, found those up to " + consumer.position(only)
                                    + " (a broker is away, or a Kafka transaction is open)");
                }
            }
        } catch (KafkaException e) {
            throw KafkaErrors.of(e, "read topic of progress " + topic);
        }
        return newest;
    }
}
