package io.tributary.sink.debezium;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.changes.StoredMoment;
import io.tributary.changes.ValueKind;
import io.tributary.sink.json.ByteCharacters;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.json.StoredDecimal;
import io.tributary.sink.json.ValueText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A column of debezium-json. A date or time that no calendar has is null, or that of 1970 if the column does not allow NULL, as in Debezium. For one
 * thread.
 */
final class DebeziumColumn {
    private static final byte[] NULL = ascii("null");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] WKB = ascii("{\"wkb\":\"");
    private static final byte[] POINT_X = ascii("{\"x\":");
    private static final byte[] POINT_Y = ascii(",\"y\":");
    private static final byte[] POINT_WKB = ascii(",\"wkb\":\"");
    private static final byte[] SRID = ascii("\",\"srid\":");
    private static final byte[] EPOCH = ascii("\"1970-01-01T00:00:00Z\"");

    private static final int SRID_BYTES = 4;
    /** Byte order, type. */
    private static final int WKB_HEAD = 5;

    private static final int MOST_MILLIS = 3;
    private static final int MICROS = 1000;

    private final ChangeColumn column;
    private final DecimalForm decimals;
    private final ByteCharacters characters;
    private final byte[][] labels;
    private final byte[] key;
    private final StoredMoment moment = new StoredMoment();

    DebeziumColumn(ChangeColumn column, DecimalForm decimals) {
        this.column = column;
        this.decimals = decimals;
        this.characters = ByteCharacters.of(column);
        this.labels = column.type().values().stream()
                .map(label -> new JsonOutput().text(label).toBytes())
                .toArray(byte[][]::new);
        this.key = ("," + ConnectSchema.quoted(column.name()) + ":").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    String name() {
        return column.name();
    }

    /** Its schema. */
    ConnectSchema schema() {
        return DebeziumTypes.schema(column, decimals);
    }

    /** Appends the column with its name, and a comma before it unless it is the first one. */
    void write(JsonOutput out, ValueText values, RowImage image, boolean isFirst) {
        out.raw(key, isFirst ? 1 : 0);
        if (column.isNull(image)) {
            out.raw(NULL);
            return;
        }
        switch (column.kind()) {
            case INTEGER -> integer(out, values, image);
            case DECIMAL -> decimal(out, values, image);
            case FLOAT, DOUBLE -> values.real(column, image, true);
            case BIT -> bits(out, image);
            case YEAR -> values.integer(column, image);
            case DATE, TIME, DATETIME, TIMESTAMP -> moment(out, values, image);
            case VECTOR -> values.vector(column, image, true);
            case GEOMETRY -> geometry(out, values, image);
            default -> string(out, values, image);
        }
    }

    private void string(JsonOutput out, ValueText values, RowImage image) {
        out.character('"');
        switch (column.kind()) {
            case ENUM -> label(out, column.integer(image) - 1);
            case SET -> labels(out, column.integer(image));
            case TEXT -> values.characters(column, image, characters);
            case JSON -> values.json(column, image);
            default -> values.base64(column, image);
        }
        out.character('"');
    }

    private void label(JsonOutput out, long index) {
        if (index >= 0 && index < labels.length) {
            out.raw(labels[(int) index]);
        }
    }

    private void labels(JsonOutput out, long bits) {
        for (long left = bits; left != 0; left &= left - 1) {
            if (left != bits) {
                out.character(',');
            }
            label(out, Long.numberOfTrailingZeros(left));
        }
    }

    private void integer(JsonOutput out, ValueText values, RowImage image) {
        if (!DebeziumTypes.isLongUnsigned(column) || decimals == DecimalForm.DOUBLE) {
            values.integer(column, image);
            return;
        }
        out.character('"');
        if (decimals == DecimalForm.BYTES) {
            StoredDecimal.appendUnsigned(out, column.integer(image));
        } else {
            out.unsigned(column.integer(image));
        }
        out.character('"');
    }

    private void decimal(JsonOutput out, ValueText values, RowImage image) {
        if (decimals == DecimalForm.DOUBLE) {
            values.decimal(column, image);
            return;
        }
        out.character('"');
        if (decimals == DecimalForm.BYTES) {
            int scale = column.type().decimals();
            StoredDecimal.appendUnscaled(
                    out, image.view(), column.at(image), column.type().length() - scale, scale);
        } else {
            values.decimal(column, image);
        }
        out.character('"');
    }

    private void bits(JsonOutput out, RowImage image) {
        long value = column.integer(image);
        if (DebeziumTypes.isBoolean(column)) {
            out.raw(value == 0 ? FALSE : TRUE);
            return;
        }
        int bytes = (column.type().length() + Byte.SIZE - 1) / Byte.SIZE;
        out.character('"')
                .base64(Long.reverseBytes(value) >>> Long.SIZE - Byte.SIZE * bytes, bytes)
                .character('"');
    }

    private void moment(JsonOutput out, ValueText values, RowImage image) {
        moment.read(column, image);
        boolean isTimestamp = column.kind() == ValueKind.TIMESTAMP;
        if (moment.isReal()) {
            switch (column.kind()) {
                case DATE -> out.integer(moment.days());
                case DATETIME ->
                    out.integer(
                            column.digits() > MOST_MILLIS ? moment.micros() : Math.floorDiv(moment.micros(), MICROS));
                case TIME -> out.integer(moment.micros());
                default -> {
                    out.character('"');
                    values.instant(column, image);
                    out.character('"');
                }
            }
        } else if (column.definition().nullable()) {
            out.raw(NULL);
        } else if (isTimestamp) {
            out.raw(EPOCH);
        } else {
            out.character('0');
        }
    }

    private void geometry(JsonOutput out, ValueText values, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        int from = at + SRID_BYTES;
        if (DebeziumTypes.isPoint(column)) {
            boolean isLittle = view.get(from) != 0;
            out.raw(POINT_X);
            values.number(coordinate(view, from + WKB_HEAD, isLittle));
            out.raw(POINT_Y);
            values.number(coordinate(view, from + WKB_HEAD + Double.BYTES, isLittle));
            out.raw(POINT_WKB);
        } else {
            out.raw(WKB);
        }
        out.base64(view, from, column.length(image) - SRID_BYTES, 0).raw(SRID);
        int srid = 0;
        for (int i = SRID_BYTES - 1; i >= 0; i--) {
            srid = srid << Byte.SIZE | view.get(at + i) & 0xff;
        }
        if (srid == 0) {
            out.raw(NULL);
        } else {
            out.integer(srid);
        }
        out.character('}');
    }

    private static double coordinate(ByteBuffer view, int at, boolean isLittle) {
        long bits = 0;
        for (int i = 0; i < Double.BYTES; i++) {
            bits = bits << Byte.SIZE | view.get(at + i) & 0xff;
        }
        return Double.longBitsToDouble(isLittle ? Long.reverseBytes(bits) : bits);
    }

    static List<DebeziumColumn> all(List<ChangeColumn> columns, DecimalForm decimals) {
        return columns.stream()
                .map(column -> new DebeziumColumn(column, decimals))
                .toList();
    }
}
