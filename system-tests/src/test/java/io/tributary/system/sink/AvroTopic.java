package io.tributary.system.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.local.kafka.CommittedMessages;
import io.tributary.testkit.server.ApicurioRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A topic with messages in avro, as a consumer of committed messages reads them with the schemas of a registry. */
final class AvroTopic {
    private static final int HEAD = 5;

    private final ApicurioRegistry registry;
    private final String topic;
    private final ObjectMapper json = new ObjectMapper();
    private final Map<Integer, Schema> schemas = new HashMap<>();
    private final Map<Integer, Long> messages = new TreeMap<>();

    AvroTopic(ApicurioRegistry registry, String topic) {
        this.registry = registry;
        this.topic = topic;
    }

    /** The rows that are there after all messages, by their keys, as a reader with the newest schema reads them; each column as text. */
    Map<String, Map<String, String>> rows(String brokers) throws IOException {
        Map<String, Map<String, String>> rows = new TreeMap<>();
        Map<Integer, Integer> newest = new HashMap<>();
        List<Integer> versions = versions();
        Schema reader = schema(versions.get(versions.size() - 1));
        for (ConsumerRecord<byte[], byte[]> message : CommittedMessages.of(brokers, topic::equals)) {
            Schema keys = schema(id(message.key()));
            String key = columns(message.key(), keys).toString();
            if (message.value() == null) {
                assertTrue(rows.remove(key) != null, () -> "no row " + key);
                continue;
            }
            int id = id(message.value());
            int version = versions.indexOf(id);
            assertTrue(version >= 0, () -> "schema " + id + " is none of " + versions);
            int before = newest.getOrDefault(message.partition(), 0);
            assertTrue(version >= before, () -> "version " + version + " after " + before);
            newest.put(message.partition(), version);
            messages.merge(version, 1L, Long::sum);
            rows.put(key, columns(message.value(), reader));
        }
        return rows;
    }

    /** The number of messages of each version of the value's schema. */
    Map<Integer, Long> messages() {
        return messages;
    }

    /** Checks that a reader with a version reads what the one before it has written. */
    int checkVersions() throws IOException {
        List<Integer> versions = versions();
        for (int i = 1; i < versions.size(); i++) {
            assertEquals(
                    SchemaCompatibilityType.COMPATIBLE,
                    SchemaCompatibility.checkReaderWriterCompatibility(
                                    schema(versions.get(i)), schema(versions.get(i - 1)))
                            .getType(),
                    schema(versions.get(i))::toString);
        }
        return versions.size();
    }

    /** The ids of the value's schemas, the oldest one first. */
    private List<Integer> versions() throws IOException {
        List<Integer> ids = new ArrayList<>();
        String subject = "/subjects/" + topic + "-value/versions";
        for (JsonNode version : json.readTree(registry.get(subject))) {
            ids.add(json.readTree(registry.get(subject + "/" + version))
                    .get("id")
                    .intValue());
        }
        return ids;
    }

    private Schema schema(int id) throws IOException {
        Schema known = schemas.get(id);
        if (known == null) {
            String text = json.readTree(registry.get("/schemas/ids/" + id))
                    .get("schema")
                    .asText();
            known = new Schema.Parser().parse(text);
            schemas.put(id, known);
        }
        return known;
    }

    private static int id(byte[] message) {
        assertEquals(0, message[0]);
        return ByteBuffer.wrap(message).getInt(1);
    }

    /** Decodes a message of its writer's schema for a reader with another version of it. */
    private Map<String, String> columns(byte[] message, Schema reader) throws IOException {
        Schema writer = schema(id(message));
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, HEAD, message.length - HEAD, null);
        GenericRecord record = new GenericDatumReader<GenericRecord>(writer, reader).read(null, in);
        assertTrue(in.isEnd(), () -> "bytes after " + record);
        Map<String, String> columns = new TreeMap<>();
        for (Schema.Field field : reader.getFields()) {
            Object value = record.get(field.pos());
            columns.put(field.name(), value == null ? null : value.toString());
        }
        return columns;
    }
}
