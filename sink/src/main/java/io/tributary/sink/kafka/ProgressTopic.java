package io.tributary.sink.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The topic with the place of each sink, and the topics to which it has sent rows. For one thread. */
public final class ProgressTopic {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String topic;
    private final String key;
    private final String topicsPrefix; // a sink's name has no slash
    private final KafkaSettings settings;
    private final Clock clock;

    /**
     * A place as it is stored.
     *
     * @param offset of its record
     */
    public record Stored(SinkPlace place, long offset) {}

    /**
     * What a sink has stored.
     *
     * @param place the newest one that is committed
     * @param topics to which it has sent rows, each with one of the tables
     */
    public record Content(Optional<Stored> place, Map<String, TableName> topics) {}

    public ProgressTopic(String topic, String sink, KafkaSettings settings, Clock clock) {
        this.topic = topic;
        this.key = sink;
        this.topicsPrefix = sink + "/";
        this.settings = settings;
        this.clock = clock;
    }

    /** The record that stores a place. */
    ProducerRecord<byte[], byte[]> record(SinkPlace place) {
        return new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), place.bytes());
    }

    /** The record that stores that rows of a table were sent to a topic. It has a key of its own, so that it stays. */
    ProducerRecord<byte[], byte[]> record(String sentTo, TableName table) {
        ObjectNode value = JSON.createObjectNode();
        value.put("schema", table.schema()).put("table", table.table());
        return new ProducerRecord<>(
                topic,
                0,
                (topicsPrefix + sentTo).getBytes(StandardCharsets.UTF_8),
                value.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * What the sink has stored and is committed. Waits for the end of Kafka transactions that other sinks have open, because records after them are
     * not visible before.
     *
     * @param limit of this wait
     */
    public Content read(TopicCatalog catalog, Duration limit) {
        TopicPartition only = new TopicPartition(topic, 0);
        long end = catalog.end(topic);
        long deadline = clock.nanoTime() + limit.toNanos();
        Reading reading = new Reading();
        try (Consumer<byte[], byte[]> consumer = settings.consumer()) {
            consumer.assign(List.of(only));
            consumer.seekToBeginning(List.of(only));
            while (consumer.position(only) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.key() != null && record.value() != null) {
                        reading.add(record);
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
        return new Content(reading.newest, reading.topics);
    }

    /** What was read up to now. */
    private final class Reading {
        private Optional<Stored> newest = Optional.empty();
        private final Map<String, TableName> topics = new LinkedHashMap<>();

        private void add(ConsumerRecord<byte[], byte[]> record) {
            String where = "topic " + topic + " offset " + record.offset();
            String found = new String(record.key(), StandardCharsets.UTF_8);
            if (found.equals(key)) {
                newest = Optional.of(new Stored(SinkPlace.parse(record.value(), where), record.offset()));
            } else if (found.startsWith(topicsPrefix)) {
                topics.put(found.substring(topicsPrefix.length()), table(record.value(), where));
            }
        }
    }

    private static TableName table(byte[] value, String where) {
        try {
            JsonNode name = JSON.readTree(value);
            return new TableName(
                    name.path("schema").asText(), name.path("table").asText());
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.SINK_TOPIC_UNFIT,
                    where + ": expected the name of a table, found a record that is none: " + e.getMessage()
                            + " | choose another sink.progress.topic",
                    e);
        }
    }
}
