package io.tributary.sink.simple;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.sink.SameRow;
import io.tributary.sink.SinkRig;
import io.tributary.sink.SinkRig.Message;
import io.tributary.sink.TypesTable;
import io.tributary.testkit.server.MysqlRelease;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimpleFormatTest {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final Map<MysqlRelease, SinkRig> RIGS = new EnumMap<>(MysqlRelease.class);

    private final SimpleFormat format = new SimpleFormat();

    @AfterAll
    static void stop() {
        RIGS.values().forEach(SinkRig::close);
    }

    private static SinkRig rig(MysqlRelease release) {
        return RIGS.computeIfAbsent(release, SinkRig::new);
    }

    private static JsonNode json(byte[] value) {
        try {
            return JSON.readTree(new String(value, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As a reader of the manual does it: the types come from the schema with the version that the row names. */
    @ParameterizedTest
    @EnumSource(
            value = MysqlRelease.class,
            names = {"MYSQL_8_0_31", "MYSQL_9"})
    void everyValueIsReadWithTheSchemaAsTheServerReturnsIt(MysqlRelease release) throws SQLException {
        SinkRig rig = rig(release);
        rig.skip();
        TypesTable table = new TypesTable(rig.server());
        table.create();
        table.insert();
        Map<String, Map<String, String>> inserted = table.select();
        table.update();
        Map<String, Map<String, String>> updated = table.select();
        table.delete();
        Map<Long, JsonNode> schemas = new HashMap<>();
        int rows = 0;
        for (Message message : rig.read(format, TypesTable.SCHEMA)) {
            assertNull(message.key());
            JsonNode node = json(message.value());
            assertEquals(1, node.get("version").intValue());
            assertEquals(SinkRig.BUILT, node.get("buildTs").longValue());
            if (node.has("tableSchema")) {
                JsonNode schema = node.get("tableSchema");
                schemas.put(schema.get("version").longValue(), schema);
            }
            if (!node.has("schemaVersion")) {
                continue;
            }
            rows++;
            assertEquals(message.what(), node.get("type").asText());
            assertEquals(message.gno(), node.get("commitTs").longValue());
            JsonNode schema = schemas.get(node.get("schemaVersion").longValue());
            assertEquals(schema.get("tableID"), node.get("tableID"));
            boolean isInsert = message.what().equals("INSERT");
            boolean isDelete = message.what().equals("DELETE");
            assertEquals(!isDelete, node.has("data"));
            assertEquals(!isInsert, node.has("old"));
            if (!isDelete) {
                check(table, isInsert ? inserted : updated, node.get("data"), schema);
            }
            if (!isInsert) {
                check(table, isDelete ? updated : inserted, node.get("old"), schema);
            }
        }
        assertEquals(3 * inserted.size(), rows);
    }

    private static void check(TypesTable table, Map<String, Map<String, String>> rows, JsonNode row, JsonNode schema) {
        Map<String, String> found = new LinkedHashMap<>();
        for (JsonNode column : schema.get("columns")) {
            String name = column.get("name").asText();
            JsonNode value = row.get(name);
            String type = column.get("dataType").get("mysqlType").asText();
            found.put(name, value.isNull() ? null : text(value, type, column));
        }
        assertEquals(schema.get("columns").size(), row.size());
        Map<String, String> want = new LinkedHashMap<>(rows.get(found.get("id")));
        table.types().forEach((name, type) -> {
            if (type.equals("enum") || type.equals("set")) {
                want.put(name, want.get(name + "#"));
            } else if (type.equals("vector") && want.get(name) != null) {
                want.put(name, SameRow.vector(want.get(name)));
            }
        });
        SameRow.check(want, found, table.types(), UnaryOperator.identity());
    }

    private static String text(JsonNode value, String type, JsonNode column) {
        if (type.equals("timestamp")) {
            assertEquals("UTC", value.get("location").asText());
            return value.get("value").asText();
        }
        assertTrue(value.isTextual(), column.toString());
        HexFormat hex = HexFormat.of().withUpperCase();
        return switch (type) {
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "json" ->
                hex.formatHex(value.textValue().getBytes(StandardCharsets.UTF_8));
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "geometry" ->
                hex.formatHex(Base64.getDecoder().decode(value.textValue()));
            case "year" -> String.format("%04d", Integer.parseInt(value.textValue()));
            default -> value.textValue();
        };
    }

    private List<JsonNode> written(String... statements) throws SQLException {
        SinkRig rig = rig(MysqlRelease.MYSQL_8_0_31);
        rig.server().execute("DROP DATABASE IF EXISTS si", "CREATE DATABASE si");
        rig.skip();
        return read(statements);
    }

    private List<JsonNode> read(String... statements) throws SQLException {
        SinkRig rig = rig(MysqlRelease.MYSQL_8_0_31);
        rig.server().execute(statements);
        return rig.read(format, "si").stream()
                .map(message -> json(message.value()))
                .toList();
    }

    @Test
    void aSchemaHasTheTypesDefaultsAndKeys() throws SQLException {
        JsonNode message = written(
                        "CREATE TABLE si.t (id BIGINT UNSIGNED NOT NULL, d DECIMAL(10,2) DEFAULT 1.5, e ENUM('a','b''c') NOT NULL,"
                                + " v VARCHAR(7) CHARACTER SET latin1 DEFAULT 'x\"y', t TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,"
                                + " PRIMARY KEY (id), UNIQUE KEY u (v, d))",
                        "INSERT INTO si.t (id, e) VALUES (1, 'a')")
                .get(1);
        assertEquals("BOOTSTRAP", message.get("type").asText());
        assertEquals(0, message.get("commitTs").longValue());
        JsonNode schema = message.get("tableSchema");
        assertEquals("si", schema.get("schema").asText());
        assertEquals("t", schema.get("table").asText());
        assertEquals(
                "{\"name\":\"id\",\"dataType\":{\"mysqlType\":\"bigint\",\"charset\":\"binary\",\"collate\":\"binary\",\"length\":0,"
                        + "\"unsigned\":true},\"nullable\":false,\"default\":null}",
                schema.get("columns").get(0).toString());
        assertEquals(
                "{\"name\":\"d\",\"dataType\":{\"mysqlType\":\"decimal\",\"charset\":\"binary\",\"collate\":\"binary\",\"length\":10,"
                        + "\"decimal\":2},\"nullable\":true,\"default\":\"1.50\"}",
                schema.get("columns").get(1).toString());
        assertEquals(
                "[\"a\",\"b'c\"]",
                schema.get("columns").get(2).get("dataType").get("elements").toString());
        assertEquals(
                "{\"mysqlType\":\"varchar\",\"charset\":\"latin1\",\"collate\":\"latin1_swedish_ci\",\"length\":7}",
                schema.get("columns").get(3).get("dataType").toString());
        assertEquals("x\"y", schema.get("columns").get(3).get("default").asText());
        assertEquals(
                "CURRENT_TIMESTAMP", schema.get("columns").get(4).get("default").asText());
        assertEquals(
                "[{\"name\":\"primary\",\"unique\":true,\"primary\":true,\"nullable\":false,\"columns\":[\"id\"]},"
                        + "{\"name\":\"u\",\"unique\":true,\"primary\":false,\"nullable\":true,\"columns\":[\"v\",\"d\"]}]",
                schema.get("indexes").toString());
    }

    @Test
    void statementsHaveTheSchemasBeforeAndAfterThem() throws SQLException {
        List<JsonNode> all = new ArrayList<>(written("CREATE TABLE si.t (a INT PRIMARY KEY)"));
        all.addAll(read("INSERT INTO si.t VALUES (1)"));
        all.addAll(read("ALTER TABLE si.t ADD b INT"));
        all.addAll(read("ALTER TABLE si.t DROP b"));
        all.addAll(read("DROP TABLE si.t"));
        all.removeIf(message -> message.get("type").asText().equals("WATERMARK"));
        List<String> types =
                all.stream().map(message -> message.get("type").asText()).toList();
        assertEquals(List.of("CREATE", "BOOTSTRAP", "INSERT", "ALTER", "ALTER", "ERASE"), types);
        assertFalse(all.get(0).has("preTableSchema"));
        JsonNode first = all.get(0).get("tableSchema");
        assertEquals(first, all.get(1).get("tableSchema"));
        assertEquals(first, all.get(3).get("preTableSchema"));
        assertEquals("ALTER TABLE si.t ADD b INT", all.get(3).get("sql").asText());
        JsonNode second = all.get(3).get("tableSchema");
        assertEquals(2, second.get("columns").size());
        assertNotEquals(first.get("version"), second.get("version"));
        assertEquals(first.get("tableID"), second.get("tableID"));
        assertEquals(second, all.get(4).get("preTableSchema"));
        assertEquals(first, all.get(4).get("tableSchema"), "the same definition has the same version");
        assertEquals(first, all.get(5).get("preTableSchema"));
        assertFalse(all.get(5).has("tableSchema"));
    }

    @Test
    void watermarksNameTheLastTransaction() throws SQLException {
        List<JsonNode> all = written("CREATE TABLE si.t (a INT PRIMARY KEY)");
        JsonNode last = all.get(all.size() - 1);
        assertEquals("WATERMARK", last.get("type").asText());
        assertEquals(all.get(0).get("commitTs"), last.get("commitTs"));
        assertEquals(4, last.size());
    }

    @Test
    void largeRowsHaveAMessageWithTheirHandleKey() throws SQLException {
        List<String> seen = new ArrayList<>();
        SinkRig rig = rig(MysqlRelease.MYSQL_8_0_31);
        rig.onRow((rows, row, place) -> {
            for (String location : List.of("", "s3://b/1")) {
                ByteBuf value = Unpooled.buffer();
                assertTrue(rows.handleValue(value, row, place, location));
                JsonNode message = json(io.netty.buffer.ByteBufUtil.getBytes(value));
                seen.add(message.path("handleKeyOnly") + " " + message.path("claimCheckLocation") + " "
                        + message.get("data"));
            }
        });
        written("CREATE TABLE si.t (a INT PRIMARY KEY, b INT)", "INSERT INTO si.t VALUES (1, 2)");
        rig.onRow(null);
        assertEquals(List.of("true  {\"a\":\"1\"}", " \"s3://b/1\" {\"a\":\"1\"}"), seen);
    }
}
