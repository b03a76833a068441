package io.tributary.sink.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.changes.RowChange;
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.debezium.DecimalForm;
import io.tributary.sink.json.RecordedBinlog;
import io.tributary.sink.json.SampleTables;
import io.tributary.sink.json.TypeSamples;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import io.tributary.testkit.server.MysqlOptions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.canal.CanalJsonDeserializationSchema;
import org.apache.flink.formats.json.debezium.DebeziumJsonDeserializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Flink's formats canal-json and debezium-json read what is written. */
class FlinkFormatsTest {
    private static final FormatOptions PLAIN = new FormatOptions(false, false, false, false, false, "s");
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

    private static RecordedBinlog binlog;

    @BeforeAll
    static void start() throws SQLException {
        binlog = new RecordedBinlog(MysqlOptions.named("flink"));
    }

    @AfterAll
    static void stop() throws SQLException {
        binlog.close();
    }

    /** Collects rows. */
    private static final class Rows implements Collector<RowData> {
        private final List<RowData> all = new ArrayList<>();

        @Override
        public void collect(RowData row) {
            all.add(row);
        }

        @Override
        public void close() {
            // has nothing to close
        }
    }

    private static DeserializationSchema<RowData> canal(DataType type) {
        return CanalJsonDeserializationSchema.builder(type, List.of(), TypeInformation.of(RowData.class))
                .setTimestampFormat(TimestampFormat.SQL)
                .build();
    }

    private static DeserializationSchema<RowData> debezium(DataType type, boolean hasSchema) {
        return new DebeziumJsonDeserializationSchema(
                type, List.of(), TypeInformation.of(RowData.class), hasSchema, false, TimestampFormat.ISO_8601);
    }

    private static List<RowData> read(
            List<RecordedBinlog.Entry> entries, MessageFormat format, DeserializationSchema<RowData> flink)
            throws Exception {
        Rows rows = new Rows();
        flink.open(null);
        ByteBuf out = Unpooled.buffer();
        for (RecordedBinlog.Entry entry : entries) {
            if (entry.table() == null) {
                continue;
            }
            RowFormat writer = format.table(entry.table(), "topic");
            RowChange change = entry.rows();
            while (change.next()) {
                out.clear();
                writer.value(out, change, new RowPlace().set(entry.transaction(), change.row(), 1));
                flink.deserialize(ByteBufUtil.getBytes(out), rows);
            }
        }
        return rows.all;
    }

    @Test
    void everyTypeIsReadAsTheServerShowsIt() throws Exception {
        SampleTables tables = new SampleTables(binlog.sql(), TypeSamples.all());
        tables.create();
        tables.insert();
        List<RecordedBinlog.Entry> entries = binlog.read();
        StringBuilder differences = new StringBuilder();
        for (int i = 0; i < tables.samples().size(); i++) {
            String name = "t" + i;
            List<RecordedBinlog.Entry> own = entries.stream()
                    .filter(entry -> entry.table() != null
                            && entry.table().name().table().equals(name))
                    .toList();
            TypeSamples.Sample sample = tables.samples().get(i);
            Map<Integer, SampleTables.Shown> v = tables.shown(i, "v");
            DataType canal = row(canalType(sample));
            compare(sample, v, read(own, new CanalFormat(PLAIN), canal(canal)), canal, differences);
            DataType debezium = row(debeziumType(sample));
            for (boolean hasSchema : new boolean[] {true, false}) {
                FormatOptions options = new FormatOptions(false, false, hasSchema, false, false, "s");
                MessageFormat format = new DebeziumFormat(options, DecimalForm.TEXT);
                compare(sample, v, read(own, format, debezium(debezium, hasSchema)), debezium, differences);
            }
        }
        assertEquals("", differences.toString());
    }

    private static DataType row(DataType value) {
        return DataTypes.ROW(DataTypes.FIELD("id", DataTypes.INT()), DataTypes.FIELD("v", value));
    }

    private static DataType number(TypeSamples.Sample sample) {
        boolean isUnsigned = sample.type().contains("UNSIGNED");
        return switch (sample.name()) {
            case "tinyint" -> isUnsigned ? DataTypes.SMALLINT() : DataTypes.TINYINT();
            case "smallint" -> isUnsigned ? DataTypes.INT() : DataTypes.SMALLINT();
            case "mediumint" -> DataTypes.INT();
            case "int" -> isUnsigned ? DataTypes.BIGINT() : DataTypes.INT();
            case "bigint" -> isUnsigned ? DataTypes.DECIMAL(20, 0) : DataTypes.BIGINT();
            case "decimal" -> decimal(sample.type());
            case "float" -> DataTypes.FLOAT();
            default -> DataTypes.DOUBLE();
        };
    }

    /** Flink's DECIMAL has at most 38 digits. */
    private static DataType decimal(String type) {
        String[] digits = type.replaceAll("[^0-9,]", "").split(",");
        int precision = Integer.parseInt(digits[0]);
        return precision > 38 ? DataTypes.STRING() : DataTypes.DECIMAL(precision, Integer.parseInt(digits[1]));
    }

    private static DataType canalType(TypeSamples.Sample sample) {
        boolean isOfCalendar = sample.values().stream()
                .noneMatch(value -> value.contains("0000-") || value.contains("-00") || value.contains("-02-3"));
        return switch (sample.name()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double" -> number(sample);
            case "date" -> isOfCalendar ? DataTypes.DATE() : DataTypes.STRING();
            case "datetime", "timestamp" -> isOfCalendar ? DataTypes.TIMESTAMP(6) : DataTypes.STRING();
            default -> DataTypes.STRING();
        };
    }

    private static DataType debeziumType(TypeSamples.Sample sample) {
        return switch (sample.name()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double" -> number(sample);
            case "year", "date" -> DataTypes.INT();
            case "time", "datetime" -> DataTypes.BIGINT();
            case "timestamp" -> DataTypes.TIMESTAMP_LTZ(6);
            case "bit" -> sample.type().equals("BIT(1)") ? DataTypes.BOOLEAN() : DataTypes.BYTES();
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> DataTypes.BYTES();
            case "point", "geometry" ->
                DataTypes.ROW(DataTypes.FIELD("wkb", DataTypes.BYTES()), DataTypes.FIELD("srid", DataTypes.INT()));
            default -> DataTypes.STRING();
        };
    }

    private static void compare(
            TypeSamples.Sample sample,
            Map<Integer, SampleTables.Shown> shown,
            List<RowData> rows,
            DataType type,
            StringBuilder differences) {
        assertEquals(shown.size(), rows.size(), sample.type());
        RowData.FieldGetter getter =
                RowData.createFieldGetter(type.getChildren().get(1).getLogicalType(), 1);
        for (RowData row : rows) {
            SampleTables.Shown one = shown.get(row.getInt(0));
            Object found = getter.getFieldOrNull(row);
            boolean isEqual = one.isNull() ? found == null : isEqual(sample, one.text(), found);
            if (!isEqual) {
                String text = String.valueOf(found);
                differences.append(sample.type() + ": expected " + one + ", found " + text + "\n");
            }
        }
    }

    private static boolean isEqual(TypeSamples.Sample sample, String shown, Object found) {
        if (found == null) {
            // debezium-json has no dates that the calendar has not
            return shown.contains("0000-") || shown.contains("-00") || shown.contains("-02-3");
        }
        if (found instanceof DecimalData decimal) {
            return decimal.toBigDecimal().compareTo(new BigDecimal(shown)) == 0;
        }
        if (found instanceof Float real) {
            return real == (float) Double.parseDouble(shown);
        }
        if (found instanceof Double real) {
            return real == Double.parseDouble(shown);
        }
        if (found instanceof Boolean flag) {
            return flag == shown.equals("1");
        }
        if (found instanceof TimestampData time) {
            return time.toLocalDateTime().equals(LocalDateTime.parse(shown.replace(' ', 'T')));
        }
        if (found instanceof byte[] bytes) {
            return sample.name().equals("bit")
                    ? reversed(bytes).equals(shown)
                    : new String(bytes, StandardCharsets.ISO_8859_1).equals(shown);
        }
        if (found instanceof RowData geometry) {
            String wkb = HexFormat.of().formatHex(geometry.getBinary(0));
            byte[] stored = shown.getBytes(StandardCharsets.ISO_8859_1);
            int srid = geometry.isNullAt(1) ? 0 : geometry.getInt(1);
            return wkb.equals(HexFormat.of().formatHex(stored, 4, stored.length))
                    && srid == (stored[0] & 0xff | (stored[1] & 0xff) << 8);
        }
        return isEqualNumber(sample, shown, found);
    }

    private static String reversed(byte[] bytes) {
        byte[] big = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            big[i] = bytes[bytes.length - 1 - i];
        }
        return new BigInteger(1, big).toString();
    }

    private static boolean isEqualNumber(TypeSamples.Sample sample, String shown, Object found) {
        return switch (sample.name()) {
            case "enum", "set" -> {
                int colon = shown.indexOf(':');
                yield found.toString().equals(shown.substring(0, colon))
                        || found.toString().equals(shown.substring(colon + 1));
            }
            case "date" ->
                found instanceof Integer days
                        ? LocalDate.ofEpochDay(days).toString().equals(shown)
                        : found.toString().equals(shown);
            case "datetime" ->
                found instanceof Long number
                        ? isMoment(sample, shown, number)
                        : found.toString().equals(shown);
            case "time" ->
                found instanceof Long micros
                        ? isTime(shown, micros)
                        : found.toString().equals(shown);
            case "year" ->
                found instanceof Integer year
                        ? year == Integer.parseInt(shown)
                        : found.toString().equals(shown);
            default -> Objects.equals(found.toString(), shown);
        };
    }

    private static boolean isMoment(TypeSamples.Sample sample, String shown, long number) {
        String type = sample.type();
        int digits = type.contains("(") ? type.charAt(type.indexOf('(') + 1) - '0' : 0;
        ChronoUnit unit = digits > 3 ? ChronoUnit.MICROS : ChronoUnit.MILLIS;
        return EPOCH.plus(number, unit).equals(LocalDateTime.parse(shown.replace(' ', 'T')));
    }

    private static boolean isTime(String shown, long micros) {
        String[] parts = shown.replace("-", "").split("[:.]");
        long size =
                ((Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1])) * 60 + Long.parseLong(parts[2])) * 1_000_000
                        + (parts.length > 3 ? Long.parseLong((parts[3] + "000000").substring(0, 6)) : 0);
        return micros == (shown.startsWith("-") ? -size : size);
    }

    @Test
    void changesAreReadWithTheRowsBeforeAndAfterThem() throws Exception {
        binlog.sql()
                .execute(
                        "CREATE TABLE changes (id INT PRIMARY KEY, v VARCHAR(20), w INT)",
                        "INSERT INTO changes VALUES (1, 'a', 1), (2, NULL, 2)",
                        "UPDATE changes SET v = 'b'",
                        "UPDATE changes SET id = 3, v = NULL WHERE id = 1",
                        "DELETE FROM changes");
        List<RecordedBinlog.Entry> entries = binlog.read().stream()
                .filter(entry ->
                        entry.table() != null && entry.table().name().table().equals("changes"))
                .toList();
        DataType type = DataTypes.ROW(
                DataTypes.FIELD("id", DataTypes.INT()),
                DataTypes.FIELD("v", DataTypes.STRING()),
                DataTypes.FIELD("w", DataTypes.INT()));
        List<String> expected = List.of(
                "+I(1,a,1)",
                "+I(2,null,2)",
                "-U(1,a,1)",
                "+U(1,b,1)",
                "-U(2,null,2)",
                "+U(2,b,2)",
                "-U(1,b,1)",
                "+U(3,null,1)",
                "-D(2,b,2)",
                "-D(3,null,1)");
        FormatOptions onlyChanged = new FormatOptions(true, true, false, true, true, "s");
        assertEquals(expected, texts(read(entries, new CanalFormat(PLAIN), canal(type))));
        assertEquals(expected, texts(read(entries, new CanalFormat(onlyChanged), canal(type))));
        assertEquals(expected, texts(read(entries, new DebeziumFormat(PLAIN), debezium(type, false))));
        assertEquals(expected, texts(read(entries, new DebeziumFormat(FormatOptions.of("s")), debezium(type, true))));
    }

    private static List<String> texts(List<RowData> rows) {
        return rows.stream().map(row -> row.toString().replace(", ", ",")).toList();
    }
}
