package io.tributary.sink.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.sink.SameRow;
import io.tributary.sink.SinkRig;
import io.tributary.sink.SinkRig.Message;
import io.tributary.sink.TypesTable;
import io.tributary.testkit.server.MysqlRelease;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenFormatTest {
    private static final Map<MysqlRelease, SinkRig> RIGS = new EnumMap<>(MysqlRelease.class);

    private final OpenFormat format = new OpenFormat();

    @AfterAll
    static void stop() {
        RIGS.values().forEach(SinkRig::close);
    }

    private static SinkRig rig(MysqlRelease release) {
        return RIGS.computeIfAbsent(release, SinkRig::new);
    }

    @ParameterizedTest
    @EnumSource(
            value = MysqlRelease.class,
            names = {"MYSQL_8_0_31", "MYSQL_9"})
    void everyValueIsReadAsTheServerReturnsIt(MysqlRelease release) throws SQLException {
        SinkRig rig = rig(release);
        rig.skip();
        TypesTable table = new TypesTable(rig.server());
        table.create();
        table.insert();
        Map<String, Map<String, String>> inserted = table.select();
        table.update();
        Map<String, Map<String, String>> updated = table.select();
        table.delete();
        int rows = 0;
        for (Message message : rig.read(format, TypesTable.SCHEMA)) {
            JsonNode key = OpenEvents.key(message.key());
            assertEquals(message.gno(), key.get("ts").longValue());
            if (message.what().equals("STATEMENT") || message.what().equals("WATERMARK")) {
                continue;
            }
            rows++;
            assertEquals("types", key.get("scm").asText());
            assertEquals("all_types", key.get("tbl").asText());
            assertEquals(1, key.get("t").intValue());
            JsonNode value = OpenEvents.value(message.value());
            switch (message.what()) {
                case "INSERT" -> check(table, inserted, value.get("u"));
                case "UPDATE" -> {
                    check(table, updated, value.get("u"));
                    check(table, inserted, value.get("p"));
                }
                default -> check(table, updated, value.get("d"));
            }
            assertEquals(message.what().equals("UPDATE") ? 2 : 1, value.size());
        }
        assertEquals(3 * inserted.size(), rows);
    }

    private static void check(TypesTable table, Map<String, Map<String, String>> expected, JsonNode row) {
        Map<String, String> found = OpenEvents.texts(row, table.types());
        Map<String, String> want = new LinkedHashMap<>(expected.get(found.get("id")));
        table.types().forEach((name, type) -> {
            if (type.equals("enum") || type.equals("set")) {
                want.put(name, want.get(name + "#"));
            } else if (type.equals("vector") && want.get(name) != null) {
                want.put(name, SameRow.vector(want.get(name)));
            }
        });
        SameRow.check(want, found, table.types(), UnaryOperator.identity());
    }

    private List<Message> written(String... statements) throws SQLException {
        SinkRig rig = rig(MysqlRelease.MYSQL_8_0_31);
        rig.server().execute("DROP DATABASE IF EXISTS op");
        rig.skip();
        rig.server().execute(statements);
        return rig.read(format, "op");
    }

    @Test
    void columnsHaveTheirTypesAndFlags() throws SQLException {
        List<Message> messages = written(
                "CREATE DATABASE op",
                "CREATE TABLE op.t (a INT UNSIGNED NOT NULL, b VARCHAR(5), c VARBINARY(5), g INT AS (1) STORED, u INT NOT NULL UNIQUE,"
                        + " PRIMARY KEY (a), KEY (b, c))",
                "INSERT INTO op.t (a, b, c, u) VALUES (4294967295, 'x', 0x00, 1)");
        JsonNode row = OpenEvents.value(messages.get(2).value()).get("u");
        assertEquals(
                "{\"t\":3,\"h\":true,\"f\":138,\"v\":4294967295}", row.get("a").toString());
        assertEquals("{\"t\":15,\"f\":96,\"v\":\"x\"}", row.get("b").toString());
        assertEquals("{\"t\":15,\"f\":97,\"v\":\"\\\\x00\"}", row.get("c").toString());
        assertEquals("{\"t\":3,\"f\":68,\"v\":1}", row.get("g").toString());
        assertEquals("{\"t\":3,\"f\":16,\"v\":1}", row.get("u").toString());
    }

    @Test
    void statementsAndWatermarksHaveTheirEvents() throws SQLException {
        List<Message> messages = written(
                "CREATE DATABASE op",
                "CREATE TABLE op.t (a INT PRIMARY KEY)",
                "ALTER TABLE op.t ADD COLUMN `b,c` INT, ALGORITHM=INSTANT",
                "ALTER TABLE op.t ADD d INT, DROP `b,c`",
                "CREATE INDEX i ON op.t (d)",
                "RENAME TABLE op.t TO op.u",
                "TRUNCATE op.u",
                "DROP TABLE op.u");
        List<Integer> codes = messages.stream()
                .filter(message -> message.what().equals("STATEMENT"))
                .map(message -> OpenEvents.value(message.value()).get("t").intValue())
                .toList();
        assertEquals(List.of(1, 3, 5, 61, 7, 14, 11, 4), codes);
        Message create = messages.get(1);
        assertEquals(
                "CREATE TABLE op.t (a INT PRIMARY KEY)",
                OpenEvents.value(create.value()).get("q").asText());
        assertEquals(
                "{\"ts\":" + create.gno() + ",\"scm\":\"op\",\"tbl\":\"t\",\"t\":2}",
                OpenEvents.key(create.key()).toString());
        Message last = messages.get(messages.size() - 1);
        assertEquals(
                "{\"ts\":" + last.gno() + ",\"t\":3}",
                OpenEvents.key(last.key()).toString());
        assertNull(OpenEvents.value(last.value()));
        assertEquals("0".repeat(16), OpenEvents.hex(last.value()));
    }

    @Test
    void largeRowsHaveAMessageWithTheirHandleKey() throws SQLException {
        StringBuilder seen = new StringBuilder();
        SinkRig rig = rig(MysqlRelease.MYSQL_8_0_31);
        rig.server().execute("DROP DATABASE IF EXISTS op", "CREATE DATABASE op");
        rig.skip();
        rig.server().execute("CREATE TABLE op.t (a INT PRIMARY KEY, b INT)", "INSERT INTO op.t VALUES (1, 2)");
        rig.onRow((rows, row, place) -> {
            for (String location : List.of("", "s3://b/1")) {
                ByteBuf key = Unpooled.buffer();
                ByteBuf value = Unpooled.buffer();
                rows.handleKey(key, row, place, location);
                rows.handleValue(value, row, place, location);
                seen.append(OpenEvents.key(ByteBufUtil.getBytes(key)))
                        .append(OpenEvents.value(ByteBufUtil.getBytes(value)));
            }
        });
        rig.read(format, "op");
        rig.onRow(null);
        String text = seen.toString().replaceAll("\"ts\":\\d+", "\"ts\":0");
        String value = "{\"u\":{\"a\":{\"t\":3,\"h\":true,\"f\":10,\"v\":1}}}";
        assertEquals(
                "{\"ts\":0,\"scm\":\"op\",\"tbl\":\"t\",\"ohk\":true,\"t\":1}" + value
                        + "{\"ts\":0,\"scm\":\"op\",\"tbl\":\"t\",\"ccl\":\"s3://b/1\",\"t\":1}" + value,
                text);
        assertFalse(text.contains("\"b\":"));
    }
}
