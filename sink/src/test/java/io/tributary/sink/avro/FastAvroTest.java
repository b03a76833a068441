package io.tributary.sink.avro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.sink.SameRow;
import io.tributary.sink.SinkRig;
import io.tributary.sink.SinkRig.Message;
import io.tributary.sink.TypesTable;
import io.tributary.sink.message.FormatOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.PythonTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another implementation of Avro, fastavro for Python, reads the same values. Skipped without Python. */
class FastAvroTest {
    private static final Path SOURCES = Path.of("src/test/python");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void everyValueIsReadAsTheServerReturnsIt() throws SQLException, IOException {
        assumeTrue(PythonTool.isHere(), "Python with pip");
        KnownSchemas schemas = new KnownSchemas();
        try (SinkRig rig = new SinkRig(MysqlRelease.MYSQL_8_0_31)) {
            TypesTable table = new TypesTable(rig.server());
            table.create();
            table.insert();
            Map<String, Map<String, String>> rows = table.select();
            AvroOptions options = new AvroOptions(AvroOptions.Decimals.PRECISE, AvroOptions.Unsigned.DECIMAL);
            AvroFormat format = new AvroFormat(FormatOptions.of("s"), options, schemas);
            List<JsonNode> records = decoded(schemas, rig.read(format, TypesTable.SCHEMA));
            Map<String, String> types = new HashMap<>();
            table.types().forEach((name, type) -> types.put(AvroNames.of(name), type));
            for (JsonNode record : records) {
                Map<String, String> found = new LinkedHashMap<>();
                record.properties()
                        .forEach(field -> found.put(field.getKey(), text(field.getValue(), types.get(field.getKey()))));
                SameRow.check(rows.get(found.get("id")), found, table.types(), AvroNames::of);
            }
            assertEquals(rows.size(), records.size());
        }
    }

    private List<JsonNode> decoded(KnownSchemas schemas, List<Message> messages) throws IOException {
        ObjectNode task = JSON.createObjectNode();
        schemas.all().forEach((id, schema) -> task.withObject("/schemas").put(Integer.toString(id), schema));
        messages.forEach(
                message -> task.withArray("/messages").add(HexFormat.of().formatHex(message.value())));
        Path file = folder.resolve("task.json");
        Files.writeString(file, task.toString());
        return new PythonTool(SOURCES)
                .run("read_avro.py", file.toString()).stream()
                        .map(FastAvroTest::json)
                        .toList();
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(JsonNode value, String type) {
        if (value.isNull()) {
            return null;
        }
        if (value.has("bytes")) {
            String hex = value.get("bytes").asText();
            return type.equals("bit") ? new java.math.BigInteger(hex, 16).toString() : hex;
        }
        if (value.has("decimal")) {
            return value.get("decimal").asText();
        }
        return switch (type) {
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "json", "enum", "set" ->
                HexFormat.of().withUpperCase().formatHex(value.asText().getBytes(StandardCharsets.UTF_8));
            case "year" -> String.format("%04d", value.intValue());
            default -> value.asText();
        };
    }
}
