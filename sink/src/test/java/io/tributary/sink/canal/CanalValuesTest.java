package io.tributary.sink.canal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.RowChange;
import io.tributary.common.gtid.Gtid;
import io.tributary.sink.json.RecordedBinlog;
import io.tributary.sink.json.SampleTables;
import io.tributary.sink.json.TypeSamples;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CanalValuesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long BUILT = 1_700_000_000_123L;

    private static List<JsonNode> values(List<RecordedBinlog.Entry> entries, MessageFormat format) throws IOException {
        List<JsonNode> values = new ArrayList<>();
        ByteBuf out = Unpooled.buffer();
        for (RecordedBinlog.Entry entry : entries) {
            if (entry.table() == null) {
                continue;
            }
            RowFormat rows = format.table(entry.table(), "topic");
            RowChange change = entry.rows();
            while (change.next()) {
                out.clear();
                assertTrue(rows.value(
                        out, change, new RowPlace().set(entry.transaction(), entry.firstRow() + change.row(), BUILT)));
                values.add(JSON.readTree(ByteBufUtil.getBytes(out)));
            }
        }
        return values;
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31"})
    void everyTypeIsWrittenAsTheServerShowsIt(MysqlRelease release) throws Exception {
        try (RecordedBinlog binlog =
                new RecordedBinlog(MysqlOptions.named("canal").of(release))) {
            SampleTables tables = new SampleTables(binlog.sql(), TypeSamples.all());
            tables.create();
            tables.insert();
            List<JsonNode> inserted = values(binlog.read(), new CanalFormat(FormatOptions.of("s")));
            int wrong = 0;
            StringBuilder differences = new StringBuilder();
            int next = 0;
            for (int i = 0; i < tables.samples().size(); i++) {
                TypeSamples.Sample sample = tables.samples().get(i);
                Map<Integer, SampleTables.Shown> v = tables.shown(i, "v");
                Map<Integer, SampleTables.Shown> n = tables.shown(i, "n");
                for (int row = 0; row <= sample.values().size(); row++) {
                    JsonNode message = inserted.get(next++);
                    assertEquals("t" + i, message.get("table").asText());
                    JsonNode data = message.get("data").get(0);
                    assertEquals(String.valueOf(row), data.get("id").textValue());
                    for (String column : List.of("v", "n")) {
                        SampleTables.Shown shown = (column.equals("v") ? v : n).get(row);
                        String difference = difference(sample, shown, data.get(column));
                        if (!difference.isEmpty()) {
                            wrong++;
                            differences
                                    .append(sample.type())
                                    .append(": ")
                                    .append(difference)
                                    .append('\n');
                        }
                    }
                }
            }
            assertEquals(inserted.size(), next);
            assertEquals(0, wrong, differences.toString());
        }
    }

    private static String difference(TypeSamples.Sample sample, SampleTables.Shown shown, JsonNode found) {
        if (shown.isNull()) {
            return found.isNull() ? "" : "expected null, found " + found;
        }
        String text = found.textValue();
        if (text == null) {
            return "expected a string, found " + found;
        }
        boolean isEqual = switch (sample.name()) {
            case "float" ->
                Float.parseFloat(text) == (float) Double.parseDouble(shown.text())
                        && text.matches("-?[0-9]+(\\.[0-9]+)?");
            case "double" ->
                Double.parseDouble(text) == Double.parseDouble(shown.text()) && text.matches("-?[0-9]+(\\.[0-9]+)?");
            // 5.7 shows a DOUBLE in JSON without its point
            case "json" ->
                text.equals(shown.text()) || shown.text().matches("-?[0-9]+") && text.equals(shown.text() + ".0");
            case "enum", "set" -> text.equals(shown.text().replaceAll(":.*", ""));
            default -> text.equals(shown.text());
        };
        return isEqual ? "" : "expected " + cut(shown.text()) + ", found " + cut(text);
    }

    private static String cut(String text) {
        return text.length() < 200 ? text : text.substring(0, 200) + "... of " + text.length();
    }

    @Test
    void aMessageHasTheMembersOfCanalInTheirOrder() throws Exception {
        try (RecordedBinlog binlog = new RecordedBinlog(MysqlOptions.named("canal"))) {
            binlog.sql()
                    .execute(
                            "CREATE TABLE t (a INT UNSIGNED, `b\"c` VARCHAR(20), c DECIMAL(10,2), e ENUM('x','y'),"
                                    + " u BIGINT UNSIGNED NOT NULL, PRIMARY KEY (u, a))",
                            "INSERT INTO t VALUES (1, 'p', 1.5, 'x', 1)",
                            "UPDATE t SET c = 2, u = 18446744073709551615, a = 4294967295",
                            "DELETE FROM t");
            List<RecordedBinlog.Entry> entries = binlog.read();
            FormatOptions plain = FormatOptions.of("s");
            List<JsonNode> three = values(entries, new CanalFormat(plain));
            List<String> members = new ArrayList<>();
            three.get(0).fieldNames().forEachRemaining(members::add);
            assertEquals(
                    List.of(
                            "id",
                            "database",
                            "table",
                            "pkNames",
                            "isDdl",
                            "type",
                            "es",
                            "ts",
                            "sql",
                            "sqlType",
                            "mysqlType",
                            "old",
                            "data"),
                    members);
            assertEquals(
                    JSON.readTree(
                            "{'id':0,'database':'d','table':'t','pkNames':['u','a'],'isDdl':false,'type':'INSERT','es':"
                                            .replace('\'', '"')
                                    + three.get(0).get("es")
                                    + (",'ts':" + BUILT
                                                    + ",'sql':'','sqlType':{'a':4,'b\\'c':12,'c':3,'e':4,'u':-5},'mysqlType':{'a':'int unsigned',"
                                                    + "'b\\'c':'varchar','c':'decimal','e':'enum','u':'bigint unsigned'},'old':null,"
                                                    + "'data':[{'a':'1','b\\'c':'p','c':'1.50','e':'1','u':'1'}]}")
                                            .replace('\'', '"')),
                    three.get(0));
            long committed = three.get(0).get("es").asLong();
            assertTrue(Math.abs(System.currentTimeMillis() - committed) < 600_000, "es " + committed);
            JsonNode update = three.get(1);
            assertEquals("UPDATE", update.get("type").asText());
            assertEquals("-5", update.get("sqlType").get("a").toString());
            assertEquals("3", update.get("sqlType").get("u").toString());
            assertEquals("1.50", update.get("old").get(0).get("c").asText());
            assertEquals("p", update.get("old").get(0).get("b\"c").asText());
            assertEquals("2.00", update.get("data").get(0).get("c").asText());
            JsonNode delete = three.get(2);
            assertEquals("DELETE", delete.get("type").asText());
            assertTrue(delete.get("old").isNull());
            assertEquals(
                    "18446744073709551615", delete.get("data").get(0).get("u").asText());
            options(entries);
        }
    }

    private static void options(List<RecordedBinlog.Entry> entries) throws IOException {
        MessageFormat full = new CanalFormat(new FormatOptions(true, true, true, true, true, "s"));
        JsonNode update = values(entries, full).get(1);
        assertEquals(
                "{\"a\":\"1\",\"c\":\"1.50\",\"u\":\"1\"}",
                update.get("old").get(0).toString());
        assertEquals("enum('x','y')", update.get("mysqlType").get("e").asText());
        assertEquals("decimal(10,2)", update.get("mysqlType").get("c").asText());
        RecordedBinlog.Entry entry = entries.stream()
                .filter(one -> one.table() != null)
                .skip(1)
                .findFirst()
                .orElseThrow();
        JsonNode extension = update.get("_tributary");
        assertEquals(
                entry.transaction().gtid().toString(), extension.get("gtid").asText());
        assertEquals(
                entry.transaction().committedMicros(),
                extension.get("commitMicros").asLong());
        assertEquals(0, extension.get("row").asLong());
        RowFormat rows = full.table(entry.table(), "topic");
        RowChange change = entry.rows();
        assertTrue(change.next());
        ByteBuf out = Unpooled.buffer();
        assertTrue(rows.key(out, change));
        assertEquals(
                "{\"u\":\"18446744073709551615\",\"a\":\"4294967295\"}",
                new String(ByteBufUtil.getBytes(out), StandardCharsets.UTF_8));
        out.clear();
        assertTrue(rows.handleValue(out, change, new RowPlace().set(entry.transaction(), 3, BUILT), "s3://b/\"1"));
        JsonNode shortened = JSON.readTree(ByteBufUtil.getBytes(out));
        assertEquals("{\"u\":\"1\",\"a\":\"1\"}", shortened.get("old").get(0).toString());
        assertEquals(
                "{\"u\":\"18446744073709551615\",\"a\":\"4294967295\"}",
                shortened.get("data").get(0).toString());
        assertEquals("{\"u\":3,\"a\":-5}", shortened.get("sqlType").toString());
        assertTrue(shortened.get("_tributary").get("onlyHandleKey").asBoolean());
        assertEquals(
                "s3://b/\"1",
                shortened.get("_tributary").get("claimCheckLocation").asText());
        assertEquals(3, shortened.get("_tributary").get("row").asInt());
        assertFalse(
                new CanalFormat(FormatOptions.of("s")).table(entry.table(), "t").key(out, change));
    }

    @Test
    void watermarksHaveThePlaceUpToWhichAllIsWritten() throws IOException {
        ChangeTransaction transaction = new ChangeTransaction(new Gtid(new UUID(1, 2), 7), 5_000_001, "f", 4);
        RowPlace place = new RowPlace().set(transaction, 0, BUILT);
        MessageFormat format = new CanalFormat(new FormatOptions(true, false, false, false, false, "s"));
        assertFalse(new CanalFormat(FormatOptions.of("s")).hasWatermarks());
        assertTrue(format.hasWatermarks());
        ByteBuf out = Unpooled.buffer();
        assertFalse(format.watermarkKey(out, place));
        format.watermarkValue(out, place);
        JsonNode message = JSON.readTree(ByteBufUtil.getBytes(out));
        assertEquals("TRIBUTARY_WATERMARK", message.get("type").asText());
        assertEquals(5000, message.get("es").asLong());
        assertEquals(
                "{\"gtid\":\"" + transaction.gtid() + "\",\"commitMicros\":5000001}",
                message.get("_tributary").toString());
    }

    @Test
    void aStatementIsAMessageWithItsTypeAndText() throws Exception {
        try (RecordedBinlog binlog = new RecordedBinlog(MysqlOptions.named("canal"))) {
            binlog.read();
            binlog.sql()
                    .execute(
                            "CREATE TABLE t (a INT) COMMENT '\"'",
                            "ALTER TABLE t ADD b INT",
                            "CREATE UNIQUE INDEX i ON t (a)",
                            "DROP INDEX i ON t",
                            "TRUNCATE TABLE t",
                            "TRUNCATE t",
                            "RENAME TABLE t TO u",
                            "DROP TABLE u",
                            "CREATE DATABASE e",
                            "DROP DATABASE e");
            MessageFormat format = new CanalFormat(FormatOptions.of("s"));
            List<String> types = new ArrayList<>();
            ByteBuf out = Unpooled.buffer();
            for (RecordedBinlog.Entry entry : binlog.read()) {
                out.clear();
                RowPlace place = new RowPlace().set(entry.transaction(), 0, BUILT);
                format.statementValue(
                        out, entry.statement(), entry.statement().targets().get(0), place);
                JsonNode message = JSON.readTree(ByteBufUtil.getBytes(out));
                types.add(message.get("type").asText());
                assertTrue(message.get("isDdl").asBoolean());
                assertEquals(entry.statement().text(), message.get("sql").asText());
                assertTrue(message.get("data").isNull());
                assertNull(message.get("_tributary"));
            }
            assertEquals(
                    List.of(
                            "CREATE",
                            "ALTER",
                            "CINDEX",
                            "DINDEX",
                            "TRUNCATE",
                            "TRUNCATE",
                            "RENAME",
                            "ERASE",
                            "QUERY",
                            "QUERY"),
                    types);
        }
    }
}
