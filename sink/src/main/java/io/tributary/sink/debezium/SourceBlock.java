package io.tributary.sink.debezium;

import io.tributary.common.value.TableName;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.json.PlaceText;
import io.tributary.sink.message.RowPlace;
import java.nio.charset.StandardCharsets;

/** The member {@code source} with the place in the global binlog, of the messages of one table. For one thread. */
final class SourceBlock {
    private static final byte[] SNAPSHOT = ascii(",\"snapshot\":\"true\"");
    private static final byte[] NO_SNAPSHOT = ascii(",\"snapshot\":\"false\"");
    private static final byte[] NANOS = ascii(",\"ts_ns\":");
    private static final byte[] FILE = ascii(",\"file\":");
    private static final byte[] POSITION = ascii(",\"pos\":");
    private static final byte[] ROW = ascii(",\"row\":");
    private static final byte[] END = ascii(",\"thread\":null,\"query\":null}");
    private static final int NANOS_OF_MICRO = 1000;

    private final PlaceText places = new PlaceText();
    private final byte[] begin;
    private final byte[] database;
    private final byte[] table;

    SourceBlock(String sink, TableName of) {
        begin = bytes("\"source\":{\"version\":\"tributary\",\"connector\":\"mysql\",\"name\":"
                + ConnectSchema.quoted(sink) + ",\"ts_ms\":");
        database = bytes(",\"db\":" + ConnectSchema.quoted(of.schema()) + ",\"sequence\":null,\"ts_us\":");
        table = bytes(",\"table\":" + (of.table().isEmpty() ? "null" : ConnectSchema.quoted(of.table()))
                + ",\"server_id\":0,\"gtid\":");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void write(JsonOutput out, RowPlace place) {
        long micros = place.transaction().committedMicros();
        out.raw(begin).integer(place.committedMillis()).raw(place.isSnapshot() ? SNAPSHOT : NO_SNAPSHOT);
        out.raw(database).integer(micros).raw(NANOS).integer(micros * NANOS_OF_MICRO);
        out.raw(table).raw(places.gtid(place)).raw(FILE).raw(places.file(place));
        out.raw(POSITION).integer(place.transaction().position());
        out.raw(ROW).integer(Math.min(place.row(), Integer.MAX_VALUE)).raw(END);
    }

    /** The GTID of the place as a string of JSON; only read. */
    byte[] gtid(RowPlace place) {
        return places.gtid(place);
    }

    static ConnectSchema schema() {
        ConnectSchema text = ConnectSchema.of("string", false);
        ConnectSchema optionalText = ConnectSchema.of("string", true);
        ConnectSchema number = ConnectSchema.of("int64", false);
        ConnectSchema optionalNumber = ConnectSchema.of("int64", true);
        return ConnectSchema.of("struct", false)
                .as("io.debezium.connector.mysql.Source", 1)
                .field("version", text)
                .field("connector", text)
                .field("name", text)
                .field("ts_ms", number)
                .field(
                        "snapshot",
                        optionalText
                                .as("io.debezium.data.Enum", 1)
                                .with(
                                        "allowed",
                                        "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"))
                .field("db", text)
                .field("sequence", optionalText)
                .field("ts_us", optionalNumber)
                .field("ts_ns", optionalNumber)
                .field("table", optionalText)
                .field("server_id", number)
                .field("gtid", optionalText)
                .field("file", text)
                .field("pos", number)
                .field("row", ConnectSchema.of("int32", false))
                .field("thread", optionalNumber)
                .field("query", optionalText);
    }
}
