package io.tributary.sink.canal;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.value.TableName;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.json.PlaceText;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;

/**
 * canal-json. All values are strings or null: numbers in digits, BIT, ENUM and SET as numbers, FLOAT and DOUBLE without an exponent, TIMESTAMP in UTC,
 * bytes and geometries (as a server stores them) as the characters of ISO 8859-1, vectors as {@code [1,2]}.
 */
public final class CanalFormat implements MessageFormat {
    private static final String WATERMARK = "TRIBUTARY_WATERMARK";

    private final FormatOptions options;

    public CanalFormat(FormatOptions options) {
        this.options = options;
    }

    @Override
    public RowFormat table(ChangeTable table, String topic) {
        return new CanalRows(table, options);
    }

    @Override
    public boolean hasStatements() {
        return true;
    }

    @Override
    public boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        return false;
    }

    @Override
    public void statementValue(ByteBuf to, ChangeStatement statement, TableName table, RowPlace place) {
        JsonOutput out = new JsonOutput();
        out.ascii("{\"id\":0,\"database\":").string(table.schema());
        out.ascii(",\"table\":").string(table.table());
        out.ascii(",\"pkNames\":null,\"isDdl\":true,\"type\":").string(type(statement));
        withoutRow(out, place, statement.text());
        finish(out, place, to);
    }

    /** Canal's type for a statement. */
    private static String type(ChangeStatement statement) {
        return switch (statement.verb()) {
            case "CREATE TABLE" -> "CREATE";
            case "ALTER TABLE" -> "ALTER";
            case "DROP TABLE", "DROP TABLES" -> "ERASE";
            case "RENAME TABLE", "RENAME TABLES" -> "RENAME";
            case "TRUNCATE TABLE" -> "TRUNCATE";
            case "CREATE INDEX" -> "CINDEX";
            case "DROP INDEX" -> "DINDEX";
            default -> "QUERY";
        };
    }

    private static void withoutRow(JsonOutput out, RowPlace place, String sql) {
        out.ascii(",\"es\":").integer(place.committedMillis());
        out.ascii(",\"ts\":").integer(place.builtMillis()).ascii(",\"sql\":").string(sql);
        out.ascii(",\"sqlType\":null,\"mysqlType\":null,\"old\":null,\"data\":null");
    }

    private void finish(JsonOutput out, RowPlace place, ByteBuf to) {
        if (options.extension()) {
            extension(out, new PlaceText(), place);
            out.character('}');
        }
        out.character('}').appendTo(to);
    }

    /** Appends the beginning of the member {@code _tributary}, without the brace at its end. */
    static void extension(JsonOutput out, PlaceText places, RowPlace place) {
        out.ascii(",\"_tributary\":{\"gtid\":").raw(places.gtid(place));
        out.ascii(",\"commitMicros\":").integer(place.transaction().committedMicros());
    }

    @Override
    public boolean hasWatermarks() {
        return options.extension();
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        return false;
    }

    @Override
    public void watermarkValue(ByteBuf to, RowPlace place) {
        JsonOutput out = new JsonOutput();
        out.ascii("{\"id\":0,\"database\":\"\",\"table\":\"\",\"pkNames\":null,\"isDdl\":false,\"type\":")
                .string(WATERMARK);
        withoutRow(out, place, "");
        finish(out, place, to);
    }
}
