package io.tributary.local.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumes topics with canal-json, committed messages only, and applies them to a MySQL server in a thread of its own. It begins with the
 * first messages. Large messages that are stored in a folder ({@code sink.claim.directory}) are fetched from it. A message that does not fit the rows of the server ends it.
 */
public final class TopicApplier implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration END = Duration.ofSeconds(20);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final MysqlServer target;
    private final ObjectMapper json = new ObjectMapper();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong statements = new AtomicLong();
    private final AtomicLong fetched = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "topic-applier");
    private final AtomicLong asked = new AtomicLong(); // how often somebody wants to know whether it has all
    private volatile long answered;
    private volatile boolean isClosed;

    /**
     * Begins.
     *
     * @param brokers addresses of the brokers
     * @param topics names of the topics
     */
    public TopicApplier(String brokers, Pattern topics, MysqlServer target) {
        this.target = target;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", brokers,
                        "group.id", "topic-applier-" + UUID.randomUUID(),
                        "isolation.level", "read_committed",
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false",
                        "metadata.max.age.ms", "500",
                        "max.poll.records", "2000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.subscribe(topics);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try (consumer;
                Sql sql = target.sql()) {
            sql.connection().setAutoCommit(false);
            while (!isClosed) {
                long question = asked.get();
                ConsumerRecords<byte[], byte[]> messages = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> message : messages) {
                    apply(sql, message);
                }
                sql.connection().commit();
                consumer.commitSync(); // a new topic assigns all partitions again, from what is committed
                if (messages.isEmpty() && question > answered && hasAll()) {
                    answered = question;
                }
            }
        } catch (WakeupException e) {
            if (!isClosed) {
                failure.set(e);
            }
        } catch (Exception e) { // reported by awaitAll
            failure.set(e);
        }
    }

    private void apply(Sql sql, ConsumerRecord<byte[], byte[]> message) throws IOException, SQLException {
        try {
            CanalStatement change = new CanalStatement(whole(json.readTree(message.value())));
            change.execute(sql.connection());
            (change.isRow() ? rows : statements).incrementAndGet();
        } catch (SQLException e) {
            throw new SQLException(
                    "topic " + message.topic() + ", partition " + message.partition() + ", offset " + message.offset()
                            + ": " + e.getMessage(),
                    e);
        }
    }

    /** The message itself, or the one that is stored where it says. */
    private JsonNode whole(JsonNode message) throws IOException {
        JsonNode location = message.at("/_tributary/claimCheckLocation");
        if (location.isMissingNode()) {
            return message;
        }
        JsonNode stored = json.readTree(Files.readAllBytes(Path.of(location.asText())));
        fetched.incrementAndGet();
        return json.readTree(stored.get("value").binaryValue());
    }

    private boolean hasAll() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        return !ends.isEmpty()
                && ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** Rows that were applied. */
    public long rows() {
        return rows.get();
    }

    /** DDL statements that were executed. */
    public long statements() {
        return statements.get();
    }

    /** Large messages that were stored in a folder and fetched from it. */
    public long fetched() {
        return fetched.get();
    }

    /**
     * Waits until it has applied all messages that are committed by now.
     *
     * @throws IllegalStateException if it has failed
     */
    public void awaitAll(Duration limit) {
        long question = asked.incrementAndGet();
        Await.until(() -> "the consumer to apply all messages; it has applied " + rows + " rows", limit, () -> {
            if (failure.get() != null) {
                throw new IllegalStateException(
                        "the consumer has failed: " + failure.get().getMessage(), failure.get());
            }
            return answered >= question;
        });
    }

    @Override
    public void close() {
        isClosed = true;
        consumer.wakeup();
        try {
            thread.join(END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
