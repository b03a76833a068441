package io.tributary.sink.avro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.sink.SameRow;
import io.tributary.sink.SinkRig;
import io.tributary.sink.SinkRig.Message;
import io.tributary.sink.TypesTable;
import io.tributary.sink.message.FormatOptions;
import io.tributary.testkit.server.MysqlRelease;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Avro's own reader reads from our messages is what a real server returns by SELECT. */
class AvroFormatTest {
    private static final Map<MysqlRelease, SinkRig> RIGS = new EnumMap<>(MysqlRelease.class);
    private static final FormatOptions PLAIN = FormatOptions.of("sink 1");
    private static final FormatOptions EXTENDED = new FormatOptions(true, false, true, false, false, "sink 1");

    private final KnownSchemas schemas = new KnownSchemas();

    @AfterAll
    static void stop() {
        RIGS.values().forEach(SinkRig::close);
    }

    private static SinkRig rig(MysqlRelease release) {
        return RIGS.computeIfAbsent(release, SinkRig::new);
    }

    private static SinkRig rig() {
        return rig(MysqlRelease.MYSQL_8_0_31);
    }

    private AvroFormat format(FormatOptions options) {
        return new AvroFormat(options, AvroOptions.standard(), schemas);
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL_8_0_31, PRECISE, STRING",
        "MYSQL_8_0_31, STRING, DECIMAL",
        "MYSQL_9, PRECISE, DECIMAL",
        "MYSQL_5_7_22, PRECISE, STRING"
    })
    void everyValueIsReadAsTheServerReturnsIt(
            MysqlRelease release, AvroOptions.Decimals decimals, AvroOptions.Unsigned unsigned) throws SQLException {
        SinkRig rig = rig(release);
        rig.server().execute("DROP DATABASE IF EXISTS types");
        rig.skip();
        TypesTable table = new TypesTable(rig.server());
        table.create();
        table.insert();
        Map<String, Map<String, String>> inserted = table.select();
        table.update();
        Map<String, Map<String, String>> updated = table.select();
        table.delete();
        AvroFormat format = new AvroFormat(EXTENDED, new AvroOptions(decimals, unsigned), schemas);
        Map<String, Integer> counts = new HashMap<>();
        for (Message message : rig.read(format, TypesTable.SCHEMA)) {
            counts.merge(message.what(), 1, Integer::sum);
            String id = Records.read(message.key(), schemas::of).get("id").toString();
            if (message.what().equals("DELETE")) {
                assertNull(message.value());
                check(table, updated.get(id), message.key(), Map.of("id", "bigint", "grp", "varchar"));
                continue;
            }
            boolean isInsert = message.what().equals("INSERT");
            check(table, (isInsert ? inserted : updated).get(id), message.value(), table.types());
            GenericRecord value = Records.read(message.value(), schemas::of);
            assertEquals(
                    isInsert ? "c" : "u", value.get(RecordSchemas.OPERATION).toString());
            assertEquals(message.gno(), value.get(RecordSchemas.COMMIT_NUMBER));
            assertTrue((long) value.get(RecordSchemas.COMMIT_TIME) >= 0);
        }
        int rows = inserted.size();
        // the last row's values are not always others than the first one's
        assertEquals(rows, counts.get("INSERT"));
        assertEquals(rows, counts.get("DELETE"));
        assertEquals(rows, counts.get("UPDATE"));
    }

    private void check(TypesTable table, Map<String, String> expected, byte[] message, Map<String, String> types) {
        Map<String, String> ofFields = new HashMap<>();
        table.types().forEach((name, type) -> ofFields.put(AvroNames.of(name), type));
        Map<String, String> found = Records.texts(Records.read(message, schemas::of), ofFields);
        SameRow.check(expected, found, types, AvroNames::of);
    }

    private List<Message> written(AvroFormat format, String... statements) throws SQLException {
        SinkRig rig = rig();
        rig.server().execute("DROP DATABASE IF EXISTS av", "CREATE DATABASE av");
        rig.skip();
        rig.server().execute(statements);
        return rig.read(format, "av");
    }

    @Test
    void unsignedBigintsWrapIfTheyAreLongs() throws SQLException {
        AvroOptions longs = new AvroOptions(AvroOptions.Decimals.PRECISE, AvroOptions.Unsigned.LONG);
        List<Message> messages = written(
                new AvroFormat(PLAIN, longs, schemas),
                "CREATE TABLE av.t (id BIGINT UNSIGNED PRIMARY KEY)",
                "INSERT INTO av.t VALUES (18446744073709551615)");
        assertEquals(-1L, Records.read(messages.get(0).value(), schemas::of).get("id"));
    }

    @Test
    void schemasHaveTheTypesThatConsumersOfTicdcRead() throws SQLException {
        List<Message> messages = written(
                format(PLAIN),
                "CREATE TABLE av.`1-t` (id INT UNSIGNED PRIMARY KEY, b BIT(9) NOT NULL, e ENUM('a','b,c') DEFAULT 'a',"
                        + " d DECIMAL(10,4), n INT NOT NULL DEFAULT 7, m VARCHAR(5))",
                "INSERT INTO av.`1-t` VALUES (1, 1, 'a', 1, 1, NULL)");
        Schema value = schemas.of(Records.id(messages.get(0).value()));
        assertEquals("sink_1.av._1_t", value.getFullName());
        assertEquals(List.of("av.1-t-key", "av.1-t-value"), schemas.subjects());
        assertEquals(
                Map.of("tidb_type", "INT UNSIGNED", "tributary_type", "int unsigned"),
                value.getField("id").schema().getObjectProp("connect.parameters"));
        assertEquals(Schema.Type.LONG, value.getField("id").schema().getType());
        assertEquals(
                Map.of("tidb_type", "BIT", "tributary_type", "bit(9)", "length", "9"),
                value.getField("b").schema().getObjectProp("connect.parameters"));
        assertEquals(
                Map.of("tidb_type", "ENUM", "tributary_type", "enum", "allowed", "a,b\\,c"),
                value.getField("e").schema().getTypes().get(0).getObjectProp("connect.parameters"));
        assertEquals("a", value.getField("e").defaultVal());
        assertEquals(7, value.getField("n").defaultVal());
        assertEquals(
                "decimal",
                value.getField("d").schema().getTypes().get(1).getLogicalType().getName());
        assertTrue(RecordSchemas.isNullFirst(value.getField("m")));
        assertEquals(
                1, schemas.of(Records.id(messages.get(0).key())).getFields().size());
    }

    @Test
    void theKeyIsTheSmallestUniqueKeyIfThereIsNoPrimaryKey() throws SQLException {
        List<Message> messages = written(
                format(PLAIN),
                "CREATE TABLE av.t (a INT NOT NULL, b INT NOT NULL, c VARCHAR(9) NOT NULL, UNIQUE (a, b), UNIQUE (c))",
                "INSERT INTO av.t VALUES (1, 2, 'x')");
        assertEquals(
                "{\"c\": \"x\"}",
                Records.read(messages.get(0).key(), schemas::of).toString());
    }

    @Test
    void tablesWithoutAKeyAreRefused() {
        refused(
                "no key",
                "none; add a key",
                "CREATE TABLE av.t (a INT NOT NULL, b INT UNIQUE)",
                "INSERT INTO av.t VALUES (1, 2)");
    }

    @Test
    void columnsThatAreTheSameInAvroAreRefused() {
        refused(
                "columns",
                "columns a-b and a b, which are both a_b",
                "CREATE TABLE av.t (id INT PRIMARY KEY, `a-b` INT, `a b` INT)",
                "INSERT INTO av.t VALUES (1, 2, 3)");
    }

    @Test
    void columnsWithTheNameOfTheExtensionAreRefused() {
        TributaryException error = assertThrows(
                TributaryException.class,
                () -> written(
                        format(EXTENDED),
                        "CREATE TABLE av.t (id INT PRIMARY KEY, _tributary_op INT)",
                        "INSERT INTO av.t VALUES (1, 2)"));
        assertEquals(ErrorCode.SINK_TABLE_UNFIT, error.code());
    }

    @Test
    void tablesThatAreTheSameInAvroAreRefused() {
        refused(
                "tables",
                "table av.a-b, which is also sink_1.av.a_b",
                "CREATE TABLE av.`a-b` (id INT PRIMARY KEY)",
                "CREATE TABLE av.`a b` (id INT PRIMARY KEY)",
                "INSERT INTO av.`a-b` VALUES (1)",
                "INSERT INTO av.`a b` VALUES (1)");
    }

    private void refused(String why, String words, String... statements) {
        TributaryException error =
                assertThrows(TributaryException.class, () -> written(format(PLAIN), statements), why);
        assertEquals(ErrorCode.SINK_TABLE_UNFIT, error.code());
        assertTrue(error.getMessage().contains(words), error.getMessage());
    }
}
