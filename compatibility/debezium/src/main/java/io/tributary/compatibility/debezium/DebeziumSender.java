package io.tributary.compatibility.debezium;

import io.debezium.engine.ChangeEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends the rows of a table to a topic by Debezium's embedded engine: its JSON converter without schemas makes keys and values, and after each batch the
 * acknowledgements of all its messages are awaited, as Debezium Server does. A peer of {@code bin/bench sink}.
 */
public final class DebeziumSender {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;

    private DebeziumSender(String brokers, String topic) {
        this.topic = topic;
        this.producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
                        ProducerConfig.ACKS_CONFIG, "all",
                        ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4",
                        ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10,
                        ProducerConfig.LINGER_MS_CONFIG, 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** @param arguments folder for its own files, port, user, password, file, position, GTID set, addresses of the brokers, topic, table */
    public static void main(String[] arguments) throws Exception {
        DebeziumSender sender = new DebeziumSender(arguments[7], arguments[8]);
        String table = arguments[9];
        new Engine(Path.of(arguments[0]), Arrays.asList(arguments).subList(1, 4))
                .with("snapshot.mode", "recovery")
                .with("snapshot.locking.mode", "none")
                .with("database.include.list", table.substring(0, table.indexOf('.')))
                .with("table.include.list", table)
                .with("include.schema.changes", "false")
                .with("converter.schemas.enable", "false")
                .from(arguments[4], arguments[5], arguments[6])
                .runAsJson(sender::send);
    }

    private void send(List<ChangeEvent<byte[], byte[]>> batch) {
        List<Future<RecordMetadata>> sent = new ArrayList<>(batch.size());
        for (ChangeEvent<byte[], byte[]> event : batch) {
            sent.add(producer.send(new ProducerRecord<>(topic, event.key(), event.value())));
        }
        try {
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
