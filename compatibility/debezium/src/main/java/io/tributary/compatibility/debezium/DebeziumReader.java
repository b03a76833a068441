package io.tributary.compatibility.debezium;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Reads a source by Debezium's embedded engine to the workload's last row, and prints R, D and T lines.
 *
 * <p>It begins at a GTID set. Either as after a lost schema history: offsets are there, the tables are asked of the source
 * (snapshot.mode=recovery). Or with a history that holds no table yet: it learns the tables from DDL.
 */
public final class DebeziumReader {
    private String gtid = "";

    private DebeziumReader() {}

    /** @param arguments recovery or history, folder for its own files, port, user, password, file, position, GTID set */
    public static void main(String[] arguments) throws Exception {
        boolean recovers = arguments[0].equals("recovery");
        Path folder = Path.of(arguments[1]);
        Path offsets = folder.resolve("offsets");
        String place = "{\"file\":\"" + arguments[5] + "\",\"pos\":" + arguments[6] + ",\"gtids\":\"" + arguments[7]
                + "\",\"row\":0,\"event\":0}";
        writeOffsets(offsets, place);
        if (!recovers) {
            Files.writeString(
                    folder.resolve("history"),
                    "{\"source\":{\"server\":\"compat\"},\"position\":" + place + ",\"ts_ms\":0,\"databaseName\":\"\","
                            + "\"ddl\":\"SET character_set_server=utf8mb4\",\"tableChanges\":[]}\n");
        }
        DebeziumReader reader = new DebeziumReader();
        DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine = DebeziumEngine.create(Connect.class)
                .using(properties(recovers ? "recovery" : "no_data", arguments, folder, offsets))
                .using((success, message, error) -> {
                    System.err.println("it ended: " + message + " " + (error == null ? "" : rootOf(error)));
                    System.err.flush();
                    Runtime.getRuntime().halt(1);
                })
                .notifying(
                        (List<ChangeEvent<SourceRecord, SourceRecord>> batch,
                                DebeziumEngine.RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer) -> {
                            for (ChangeEvent<SourceRecord, SourceRecord> event : batch) {
                                reader.accept(event.value());
                                committer.markProcessed(event);
                            }
                        })
                .build();
        engine.run();
    }

    private static Throwable rootOf(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static Properties properties(String snapshot, String[] arguments, Path folder, Path offsets) {
        Properties all = new Properties();
        all.putAll(Map.ofEntries(
                Map.entry("name", "compat"),
                Map.entry("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
                Map.entry("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore"),
                Map.entry("offset.storage.file.filename", offsets.toString()),
                Map.entry("offset.flush.interval.ms", "60000"),
                Map.entry("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory"),
                Map.entry(
                        "schema.history.internal.file.filename",
                        folder.resolve("history").toString()),
                Map.entry("topic.prefix", "compat"),
                Map.entry("database.hostname", "127.0.0.1"),
                Map.entry("database.port", arguments[2]),
                Map.entry("database.user", arguments[3]),
                Map.entry("database.password", arguments[4]),
                Map.entry("database.server.id", "4716"),
                Map.entry("database.ssl.mode", "disabled"),
                Map.entry("driver.allowPublicKeyRetrieval", "true"),
                Map.entry("snapshot.mode", snapshot),
                Map.entry("snapshot.locking.mode", "none"),
                Map.entry("database.include.list", "shop,docs"),
                Map.entry("include.schema.changes", "true"),
                Map.entry("errors.max.retries", "0")));
        return all;
    }

    /** As Kafka Connect's file store reads them: a serialised map of JSON texts. */
    private static void writeOffsets(Path file, String offset) throws IOException {
        HashMap<byte[], byte[]> map = new HashMap<>();
        map.put(bytes("[\"compat\",{\"server\":\"compat\"}]"), bytes(offset));
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
            out.writeObject(map);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void accept(SourceRecord record) {
        if (!(record.value() instanceof Struct change)) {
            return;
        }
        if (change.schema().field("ddl") != null) {
            System.out.println("D\t" + change.getString("ddl").replaceAll("\\s+", " "));
            return;
        }
        if (change.schema().field("op") == null) {
            return;
        }
        Struct source = change.getStruct("source");
        String now = source.getString("gtid");
        if (now != null && !now.equals(gtid) && !gtid.isEmpty()) {
            System.out.println("T");
        }
        gtid = now == null ? "" : now;
        String table = source.getString("db") + "." + source.getString("table");
        Struct before = change.getStruct("before");
        Struct after = change.getStruct("after");
        Object key = (after == null ? before : after).get("id");
        System.out.println("R\t" + table + "\t" + key + "\t" + change.getString("op") + "\t" + words(before) + "\t"
                + words(after));
        if (table.equals("shop.done")) {
            System.out.println("T");
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private static String words(Struct row) {
        if (row == null) {
            return "none";
        }
        StringBuilder words = new StringBuilder();
        for (Field field : row.schema().fields()) {
            Object value = row.get(field);
            words.append(field.name()).append('=');
            if (value instanceof ByteBuffer bytes) {
                words.append(bytes.remaining()).append(" bytes, hash ").append(bytes.hashCode());
            } else if (value instanceof byte[] bytes) {
                words.append(Arrays.hashCode(bytes));
            } else {
                words.append(value);
            }
            words.append(' ');
        }
        return words.toString();
    }
}
