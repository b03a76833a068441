package io.tributary.compatibility.debezium;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.JsonByteArray;
import io.tributary.compatibility.connect.ChangeRecord;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** Debezium's embedded engine before a source on loopback, with its own files in a folder. */
final class Engine {
    private final Path folder;
    private final Properties properties = new Properties();

    /** @param login port, user and password of the source */
    Engine(Path folder, List<String> login) {
        this.folder = folder;
        properties.putAll(Map.ofEntries(
                Map.entry("name", "compat"),
                Map.entry("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
                Map.entry("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore"),
                Map.entry("offset.storage.file.filename", offsets().toString()),
                Map.entry("offset.flush.interval.ms", "60000"),
                Map.entry("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory"),
                Map.entry(
                        "schema.history.internal.file.filename", history().toString()),
                Map.entry("topic.prefix", "compat"),
                Map.entry("database.hostname", "127.0.0.1"),
                Map.entry("database.port", login.get(0)),
                Map.entry("database.user", login.get(1)),
                Map.entry("database.password", login.get(2)),
                Map.entry("database.server.id", "4716"),
                Map.entry("database.ssl.mode", "disabled"),
                Map.entry("driver.allowPublicKeyRetrieval", "true"),
                Map.entry("include.schema.changes", "true"),
                Map.entry("errors.max.retries", "0")));
    }

    Engine with(String property, String value) {
        properties.put(property, value);
        return this;
    }

    /** Makes it begin as if it had read up to this place before. */
    Engine from(String file, String position, String gtids) throws IOException {
        writeOffsets(place(file, position, gtids));
        return this;
    }

    /** Gives it a schema history without a table, of before this place. */
    Engine withoutTables(String file, String position, String gtids) throws IOException {
        Files.writeString(
                history(),
                "{\"source\":{\"server\":\"compat\"},\"position\":" + place(file, position, gtids)
                        + ",\"ts_ms\":0,\"databaseName\":\"\","
                        + "\"ddl\":\"SET character_set_server=utf8mb4\",\"tableChanges\":[]}\n");
        return this;
    }

    private Path offsets() {
        return folder.resolve("offsets");
    }

    private Path history() {
        return folder.resolve("history");
    }

    private static String place(String file, String position, String gtids) {
        return "{\"file\":\"" + file + "\",\"pos\":" + position + ",\"gtids\":\"" + gtids + "\",\"row\":0,\"event\":0}";
    }

    /** As Kafka Connect's file store reads them: a serialised map of JSON texts. */
    private void writeOffsets(String offset) throws IOException {
        HashMap<byte[], byte[]> map = new HashMap<>();
        map.put(bytes("[\"compat\",{\"server\":\"compat\"}]"), bytes(offset));
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(offsets()))) {
            out.writeObject(map);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Reads until the process is ended; ends it with status 1 when the engine ends by itself. */
    void run(Consumer<SourceRecord> records) {
        DebeziumEngine.create(Connect.class)
                .using(properties)
                .using((success, message, error) -> fail(message, error))
                .notifying(
                        (List<ChangeEvent<SourceRecord, SourceRecord>> batch,
                                DebeziumEngine.RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer) -> {
                            for (ChangeEvent<SourceRecord, SourceRecord> event : batch) {
                                records.accept(event.value());
                                committer.markProcessed(event);
                            }
                        })
                .build()
                .run();
    }

    /** The same with keys and values as JSON; batches of them are given to a consumer, which returns after it has sent them. */
    void runAsJson(Consumer<List<ChangeEvent<byte[], byte[]>>> batches) {
        DebeziumEngine.create(JsonByteArray.class)
                .using(properties)
                .using((success, message, error) -> fail(message, error))
                .notifying(
                        (List<ChangeEvent<byte[], byte[]>> batch,
                                DebeziumEngine.RecordCommitter<ChangeEvent<byte[], byte[]>> committer) -> {
                            batches.accept(batch);
                            for (ChangeEvent<byte[], byte[]> event : batch) {
                                committer.markProcessed(event);
                            }
                            committer.markBatchFinished();
                        })
                .build()
                .run();
    }

    private static void fail(String message, Throwable error) {
        System.err.println("it ended: " + message + " " + (error == null ? "" : rootOf(error)));
        System.err.flush();
        Runtime.getRuntime().halt(1);
    }

    private static Throwable rootOf(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** A row; empty for another record. */
    static Optional<ChangeRecord> row(SourceRecord record) {
        return ChangeRecord.of(fields(record.key()), fields(record.value()), record.sourceOffset());
    }

    /** The fields of a struct in order, in maps. */
    private static Map<String, Object> fields(Object struct) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (struct instanceof Struct some) {
            for (Field field : some.schema().fields()) {
                Object value = some.get(field);
                fields.put(field.name(), value instanceof Struct ? fields(value) : value);
            }
        }
        return fields;
    }

    /** Ends the process as a client that has read all. */
    static void finish() {
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
