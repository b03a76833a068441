package io.tributary.sink.debezium;

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
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.json.RecordedBinlog;
import io.tributary.sink.json.SampleTables;
import io.tributary.sink.json.TypeSamples;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DebeziumValuesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long BUILT = 1_700_000_000_123L;

    /** A message as it is read by Kafka Connect. */
    private record Message(Struct key, Struct value, byte[] bytes) {}

    private static JsonConverter converter(boolean isKey) {
        JsonConverter converter = new JsonConverter();
        converter.configure(Map.of("schemas.enable", "true"), isKey);
        return converter;
    }

    private static List<Message> messages(List<RecordedBinlog.Entry> entries, MessageFormat format) {
        List<Message> messages = new ArrayList<>();
        ByteBuf out = Unpooled.buffer();
        try (JsonConverter keys = converter(true);
                JsonConverter values = converter(false)) {
            for (RecordedBinlog.Entry entry : entries) {
                if (entry.table() == null) {
                    continue;
                }
                RowFormat rows = format.table(entry.table(), "topic");
                RowChange change = entry.rows();
                while (change.next()) {
                    out.clear();
                    Struct key = null;
                    if (rows.key(out, change)) {
                        SchemaAndValue read = keys.toConnectData("topic", ByteBufUtil.getBytes(out));
                        key = (Struct) read.value();
                    }
                    out.clear();
                    long row = entry.firstRow() + change.row();
                    rows.value(out, change, new RowPlace().set(entry.transaction(), row, BUILT));
                    byte[] bytes = ByteBufUtil.getBytes(out);
                    messages.add(new Message(
                            key, (Struct) values.toConnectData("topic", bytes).value(), bytes));
                }
            }
        }
        return messages;
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31"})
    void kafkaConnectReadsEveryTypeAsTheServerShowsIt(MysqlRelease release) throws Exception {
        try (RecordedBinlog binlog =
                new RecordedBinlog(MysqlOptions.named("debezium").of(release))) {
            SampleTables tables = new SampleTables(binlog.sql(), TypeSamples.all());
            tables.create();
            tables.insert();
            List<RecordedBinlog.Entry> entries = binlog.read();
            StringBuilder differences = new StringBuilder();
            for (DecimalForm form : DecimalForm.values()) {
                List<Message> inserted = messages(entries, new DebeziumFormat(FormatOptions.of("s"), form));
                int next = 0;
                for (int i = 0; i < tables.samples().size(); i++) {
                    TypeSamples.Sample sample = tables.samples().get(i);
                    Map<Integer, SampleTables.Shown> v = tables.shown(i, "v");
                    Map<Integer, SampleTables.Shown> n = tables.shown(i, "n");
                    for (int row = 0; row <= sample.values().size(); row++) {
                        Message message = inserted.get(next++);
                        assertEquals(row, message.key().getInt32("id"));
                        message.value().validate();
                        Struct after = message.value().getStruct("after");
                        differences.append(difference(sample, v.get(row), after.get("v"), true));
                        differences.append(difference(sample, n.get(row), after.get("n"), false));
                    }
                }
                assertEquals(inserted.size(), next);
            }
            assertEquals("", differences.toString());
        }
    }

    private static String difference(
            TypeSamples.Sample sample, SampleTables.Shown shown, Object found, boolean isNullable) {
        Object expected = shown.isNull() ? null : expected(sample, shown.text(), isNullable);
        Object comparable = comparable(sample, found);
        boolean isEqual = Objects.equals(expected, comparable)
                || expected instanceof BigDecimal one
                        && comparable instanceof BigDecimal other
                        && one.compareTo(other) == 0
                // Kafka Connect reads numbers with a point as BigDecimal, which has no minus zero
                || Double.valueOf(-0.0).equals(expected) && comparable.equals(0.0)
                || Float.valueOf(-0f).equals(expected) && comparable.equals(0f)
                || sample.name().equals("json") && isSameNumber(expected, comparable)
                || comparable instanceof Double number
                        && expected instanceof BigDecimal exact
                        && number == exact.doubleValue();
        return isEqual ? "" : sample.type() + ": expected " + cut(expected) + ", found " + cut(comparable) + "\n";
    }

    /** 5.7 shows a DOUBLE in JSON without its point. */
    private static boolean isSameNumber(Object expected, Object found) {
        return expected instanceof String shown && shown.matches("-?[0-9]+") && (shown + ".0").equals(found);
    }

    private static String cut(Object value) {
        String text = String.valueOf(value);
        return text.length() < 200 ? text : text.substring(0, 200) + "... of " + text.length();
    }

    private static Object expected(TypeSamples.Sample sample, String shown, boolean isNullable) {
        return switch (sample.name()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal" ->
                new BigDecimal(shown).stripTrailingZeros();
            case "year" -> new BigDecimal(Integer.parseInt(shown));
            case "bit" -> sample.type().equals("BIT(1)") ? (Object) shown.equals("1") : new BigInteger(shown);
            case "float" ->
                sample.type().equals("FLOAT")
                        ? (Object) (float) Double.parseDouble(shown)
                        : (Object) Double.parseDouble(Float.toString((float) Double.parseDouble(shown)));
            case "double" -> Double.parseDouble(shown);
            case "date" -> days(shown, isNullable);
            case "time" -> micros(shown);
            case "datetime" -> moment(shown, isNullable, digits(sample) > 3 ? ChronoUnit.MICROS : ChronoUnit.MILLIS);
            case "timestamp" ->
                shown.startsWith("0000") ? isNullable ? null : "1970-01-01T00:00:00Z" : shown.replace(' ', 'T') + "Z";
            case "enum", "set" -> shown.substring(shown.indexOf(':') + 1);
            case "point", "geometry" ->
                HexFormat.of().formatHex(shown.substring(4).getBytes(StandardCharsets.ISO_8859_1)) + " in "
                        + ByteBuffer.wrap(shown.substring(0, 4).getBytes(StandardCharsets.ISO_8859_1))
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getInt();
            default -> shown;
        };
    }

    private static int digits(TypeSamples.Sample sample) {
        String type = sample.type();
        return type.contains("(") ? type.charAt(type.indexOf('(') + 1) - '0' : 0;
    }

    private static Object days(String shown, boolean isNullable) {
        try {
            return new BigDecimal(LocalDate.parse(shown).toEpochDay());
        } catch (DateTimeException e) {
            return isNullable ? null : BigDecimal.ZERO;
        }
    }

    private static Object moment(String shown, boolean isNullable, ChronoUnit unit) {
        try {
            LocalDateTime time = LocalDateTime.parse(shown.replace(' ', 'T'));
            return new BigDecimal(unit.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time)
                    - (unit.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time) < 0
                                    && time.getNano() % unit.getDuration().toNanos() != 0
                            ? 1
                            : 0));
        } catch (DateTimeException e) {
            return isNullable ? null : BigDecimal.ZERO;
        }
    }

    private static Object micros(String shown) {
        String[] parts = shown.replace("-", "").split("[:.]");
        String fraction = parts.length > 3 ? (parts[3] + "000000").substring(0, 6) : "0";
        long micros =
                ((Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1])) * 60 + Long.parseLong(parts[2])) * 1_000_000
                        + Long.parseLong(fraction);
        return new BigDecimal(shown.startsWith("-") ? -micros : micros);
    }

    private static Object comparable(TypeSamples.Sample sample, Object found) {
        if (found instanceof BigDecimal number) {
            return number.stripTrailingZeros();
        }
        boolean isNumber = sample.name().endsWith("int") || sample.name().equals("decimal");
        if (found instanceof String text && isNumber) {
            return new BigDecimal(text).stripTrailingZeros();
        }
        if (found instanceof Short || found instanceof Integer || found instanceof Long) {
            return new BigDecimal(((Number) found).longValue()).stripTrailingZeros();
        }
        if (found instanceof ByteBuffer buffer) {
            return bytes(sample, buffer.array());
        }
        if (found instanceof byte[] bytes) {
            return bytes(sample, bytes);
        }
        if (found instanceof Struct struct) {
            Object wkb = struct.get("wkb");
            byte[] bytes = wkb instanceof ByteBuffer buffer ? buffer.array() : (byte[]) wkb;
            Integer srid = struct.getInt32("srid");
            if (sample.name().equals("point")) {
                ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                assertEquals(view.getDouble(5), struct.getFloat64("x"));
                assertEquals(view.getDouble(13), struct.getFloat64("y"));
            }
            return HexFormat.of().formatHex(bytes) + " in " + (srid == null ? 0 : srid);
        }
        return found;
    }

    private static Object bytes(TypeSamples.Sample sample, byte[] bytes) {
        if (!sample.name().equals("bit")) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        byte[] big = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            big[i] = bytes[bytes.length - 1 - i];
        }
        return new BigInteger(1, big);
    }

    @Test
    void aChangeHasItsRowsAndItsPlaceInTheGlobalBinlog() throws Exception {
        try (RecordedBinlog binlog = new RecordedBinlog(MysqlOptions.named("debezium"))) {
            binlog.sql()
                    .execute(
                            "CREATE TABLE t (a INT, b VARCHAR(20) DEFAULT 'x', c BIGINT UNSIGNED NOT NULL, PRIMARY KEY (c, a))",
                            "CREATE TABLE nokey (a INT)",
                            "INSERT INTO t VALUES (1, NULL, 1), (2, 'y', 2)",
                            "UPDATE t SET c = 18446744073709551615 WHERE a = 1",
                            "DELETE FROM t WHERE a = 1",
                            "INSERT INTO nokey VALUES (1)");
            List<RecordedBinlog.Entry> entries = binlog.read();
            List<Message> messages = messages(entries, new DebeziumFormat(FormatOptions.of("s")));
            assertEquals(5, messages.size());
            assertNull(messages.get(0).value().get("before"));
            assertNull(messages.get(0).value().getStruct("after").get("b"), "NULL and not the default");
            assertEquals("c", messages.get(0).value().getString("op"));
            assertNull(messages.get(0).value().get("transaction"));
            Struct source = messages.get(1).value().getStruct("source");
            RecordedBinlog.Entry first = entries.stream()
                    .filter(entry -> entry.table() != null)
                    .findFirst()
                    .orElseThrow();
            assertEquals(first.transaction().gtid().toString(), source.getString("gtid"));
            assertEquals(first.transaction().file(), source.getString("file"));
            assertEquals(first.transaction().position(), source.getInt64("pos"));
            assertEquals(1, source.getInt32("row"));
            assertEquals("d", source.getString("db"));
            assertEquals("t", source.getString("table"));
            assertEquals("s", source.getString("name"));
            assertEquals("false", source.getString("snapshot"));
            assertEquals(first.transaction().committedMicros() / 1000, source.getInt64("ts_ms"));
            assertEquals(first.transaction().committedMicros(), source.getInt64("ts_us"));
            assertEquals(BUILT, messages.get(0).value().getInt64("ts_ms"));
            Message update = messages.get(2);
            assertEquals("u", update.value().getString("op"));
            assertEquals(new BigDecimal(1), update.value().getStruct("before").get("c"));
            assertEquals(
                    new BigDecimal("18446744073709551615"),
                    update.value().getStruct("after").get("c"));
            assertEquals(new BigDecimal("18446744073709551615"), update.key().get("c"));
            assertEquals("s.d.t.Key", update.key().schema().name());
            assertEquals("s.d.t.Envelope", update.value().schema().name());
            assertEquals(
                    "s.d.t.Value", update.value().getStruct("after").schema().name());
            assertEquals("d", messages.get(3).value().getString("op"));
            assertNull(messages.get(3).value().get("after"));
            assertNull(messages.get(4).key());
            others(first);
        }
    }

    private static void others(RecordedBinlog.Entry entry) throws Exception {
        RowFormat rows =
                new DebeziumFormat(new FormatOptions(false, false, false, false, false, "s")).table(entry.table(), "t");
        RowChange change = entry.rows();
        assertTrue(change.next());
        ByteBuf out = Unpooled.buffer();
        assertTrue(rows.key(out, change));
        assertEquals("{\"c\":\"1\",\"a\":1}", new String(ByteBufUtil.getBytes(out), StandardCharsets.UTF_8));
        out.clear();
        RowPlace place = new RowPlace().set(entry.transaction(), 4, BUILT).inTable(2);
        rows.value(out, change, place.ofSnapshot());
        JsonNode value = JSON.readTree(ByteBufUtil.getBytes(out));
        assertEquals("r", value.get("op").asText());
        assertEquals("true", value.get("source").get("snapshot").asText());
        assertEquals(
                "{\"id\":\"" + entry.transaction().gtid() + "\",\"total_order\":5,\"data_collection_order\":3}",
                value.get("transaction").toString());
        assertEquals("{\"a\":1,\"b\":null,\"c\":\"1\"}", value.get("after").toString());
        out.clear();
        RowFormat withSchema = new DebeziumFormat(FormatOptions.of("s")).table(entry.table(), "t");
        assertTrue(withSchema.handleValue(out, change, place, "s3://x"));
        try (JsonConverter values = converter(false)) {
            Struct read = (Struct)
                    values.toConnectData("t", ByteBufUtil.getBytes(out)).value();
            assertEquals(2, read.getStruct("after").schema().fields().size());
            assertEquals(1, read.getStruct("after").get("a"));
            assertEquals("s3://x", read.getStruct("_tributary").getString("claimCheckLocation"));
            assertEquals(5L, read.getStruct("transaction").getInt64("total_order"));
        }
    }

    @Test
    void watermarksHaveThePlaceUpToWhichAllIsWritten() {
        ChangeTransaction transaction = new ChangeTransaction(new Gtid(new UUID(1, 2), 7), 5_000_001, "f", 4);
        assertFalse(new DebeziumFormat(FormatOptions.of("s")).hasWatermarks());
        MessageFormat format = new DebeziumFormat(new FormatOptions(true, false, true, false, false, "s"));
        assertTrue(format.hasWatermarks());
        ByteBuf out = Unpooled.buffer();
        format.watermarkValue(out, new RowPlace().set(transaction, 0, BUILT));
        try (JsonConverter values = converter(false)) {
            Struct value = (Struct)
                    values.toConnectData("t", ByteBufUtil.getBytes(out)).value();
            assertEquals("m", value.getString("op"));
            assertEquals(
                    transaction.gtid().toString(), value.getStruct("source").getString("gtid"));
        }
    }

    @Test
    void vectorsAreArraysOfNumbers() throws Exception {
        try (RecordedBinlog binlog =
                new RecordedBinlog(MysqlOptions.named("vector").of(MysqlRelease.MYSQL_9))) {
            binlog.sql()
                    .execute(
                            "CREATE TABLE t (id INT PRIMARY KEY, v VECTOR(5))",
                            "INSERT INTO t VALUES (1, STRING_TO_VECTOR('[1,-0.1,3e38,1e-10]')), (2, NULL)");
            List<RecordedBinlog.Entry> entries = binlog.read();
            List<Message> messages = messages(entries, new DebeziumFormat(FormatOptions.of("s")));
            assertEquals(
                    List.of(1f, -0.1f, 3e38f, 1e-10f),
                    messages.get(0).value().getStruct("after").getArray("v"));
            assertNull(messages.get(1).value().getStruct("after").get("v"));
            ByteBuf out = Unpooled.buffer();
            RecordedBinlog.Entry entry = entries.stream()
                    .filter(one -> one.table() != null)
                    .findFirst()
                    .orElseThrow();
            RowChange change = entry.rows();
            assertTrue(change.next());
            RowPlace place = new RowPlace().set(entry.transaction(), 0, BUILT);
            new CanalFormat(FormatOptions.of("s")).table(entry.table(), "t").value(out, change, place);
            assertEquals(
                    "[1,-0.1,300000000000000000000000000000000000000,0.0000000001]",
                    JSON.readTree(ByteBufUtil.getBytes(out))
                            .get("data")
                            .get(0)
                            .get("v")
                            .asText());
        }
    }

    @Test
    void aStatementHasTheDefinitionsOfItsTables() throws Exception {
        try (RecordedBinlog binlog = new RecordedBinlog(MysqlOptions.named("debezium"));
                JsonConverter keys = converter(true);
                JsonConverter values = converter(false)) {
            binlog.read();
            binlog.sql()
                    .execute(
                            "CREATE TABLE t (a INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, b ENUM('x','y') NOT NULL DEFAULT 'y',"
                                    + " c DECIMAL(10,2), d VARCHAR(20) CHARACTER SET latin1)");
            MessageFormat format = new DebeziumFormat(FormatOptions.of("s"));
            ByteBuf out = Unpooled.buffer();
            RecordedBinlog.Entry create = binlog.read().get(0);
            RowPlace place = new RowPlace().set(create.transaction(), 0, BUILT);
            assertTrue(format.statementKey(
                    out, create.statement(), create.statement().targets().get(0), place));
            Struct key =
                    (Struct) keys.toConnectData("t", ByteBufUtil.getBytes(out)).value();
            assertEquals("d", key.getString("databaseName"));
            out.clear();
            format.statementValue(
                    out, create.statement(), create.statement().targets().get(0), place);
            Struct value = (Struct)
                    values.toConnectData("t", ByteBufUtil.getBytes(out)).value();
            assertEquals(create.statement().text(), value.getString("ddl"));
            assertEquals(
                    create.transaction().gtid().toString(),
                    value.getStruct("source").getString("gtid"));
            Struct change = value.<Struct>getArray("tableChanges").get(0);
            assertEquals("CREATE", change.getString("type"));
            assertEquals("\"d\".\"t\"", change.getString("id"));
            Struct table = change.getStruct("table");
            assertEquals(List.of("a"), table.getArray("primaryKeyColumnNames"));
            List<Struct> columns = table.getArray("columns");
            assertEquals(4, columns.size());
            assertEquals("INT UNSIGNED", columns.get(0).getString("typeName"));
            assertTrue(columns.get(0).getBoolean("autoIncremented"));
            assertFalse(columns.get(1).getBoolean("optional"));
            assertEquals("y", columns.get(1).getString("defaultValueExpression"));
            assertEquals(List.of("x", "y"), columns.get(1).getArray("enumValues"));
            assertEquals(10, columns.get(2).getInt32("length"));
            assertEquals(2, columns.get(2).getInt32("scale"));
            assertEquals("latin1", columns.get(3).getString("charsetName"));
            binlog.sql().execute("DROP TABLE t");
            RecordedBinlog.Entry drop = binlog.read().get(0);
            out.clear();
            format.statementValue(
                    out, drop.statement(), drop.statement().targets().get(0), place);
            Struct dropped = ((Struct)
                            values.toConnectData("t", ByteBufUtil.getBytes(out)).value())
                    .<Struct>getArray("tableChanges")
                    .get(0);
            assertEquals("DROP", dropped.getString("type"));
            assertNull(dropped.get("table"));
        }
    }
}
