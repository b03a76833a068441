package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.rows.convert.RowBytes;
import io.tributary.schema.rows.convert.StoredTime;
import io.tributary.schema.sql.SqlNames;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;

/**
 * A column whose values are selected: the expression that loses nothing of them, and their form in rows of the binlog. A JSON value is its text instead.
 * The session is that of {@link SelectedTable}. Immutable.
 */
final class SelectedColumn {
    /** The table's alias in statements, so that no name is that of an expression. */
    static final String ALIAS = "t";

    private static final int FIRST_YEAR = 1900;
    private static final int MICRO_DIGITS = 6;

    private final String name;
    private final SqlType type;
    private final ValueKind kind;
    private final int width;
    private final int prefix;

    SelectedColumn(ChangeColumn column, TableShape shape) {
        Column definition = column.definition();
        this.name = ALIAS + "." + SqlNames.name(definition.name());
        this.type = definition.type();
        this.kind = column.kind();
        this.width = Math.max(0, shape.width(column.index()));
        this.prefix = Math.max(0, -shape.width(column.index()));
    }

    /** The expression that is read. */
    String selected() {
        return switch (kind) {
            // FLOAT is shown with 6 digits, and both with their declared number of decimals
            case FLOAT, DOUBLE -> name + "*1e0";
            case BIT -> name + "+0";
            case ENUM, SET -> number();
            default -> name;
        };
    }

    /** The column itself, by which rows are ordered. */
    String ordered() {
        return name;
    }

    /** The expression that is compared with {@link #literal}. */
    String compared() {
        return kind == ValueKind.ENUM || kind == ValueKind.SET ? number() : name;
    }

    private String number() {
        return "CAST(" + name + " AS UNSIGNED)";
    }

    /** A value that is not NULL, in the form that was read, as a literal. */
    String literal(byte[] value) {
        String text = ascii(value);
        return switch (kind) {
            case FLOAT, DOUBLE -> text.contains("e") ? text : text + "e0";
            case DATE, TIME, DATETIME, TIMESTAMP -> "'" + text + "'";
            case TEXT -> introducer() + " x'" + HexFormat.of().formatHex(value) + "'";
            case BYTES, GEOMETRY, VECTOR, JSON -> "x'" + HexFormat.of().formatHex(value) + "'";
            default -> text;
        };
    }

    /** The name that every version knows: 5.7 does not have the introducer _utf8mb3. */
    private String introducer() {
        String charset = LoggedColumn.charset(type);
        return charset.equals("utf8mb3") ? "_utf8" : "_" + charset;
    }

    private static String ascii(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    /** Whether a value is written as the bytes that were read. */
    private boolean isOfBytes() {
        return prefix > 0;
    }

    /** Writes the stored form of a value that is not NULL; reads its bytes. */
    void write(ByteBuf row, int length, RowBytes out) {
        if (isOfBytes()) {
            ByteBuffer bytes = row.nioBuffer(row.readerIndex(), length);
            row.skipBytes(length);
            int kept = length;
            while (type.name().equals("binary") && kept > 0 && bytes.get(bytes.position() + kept - 1) == 0) {
                kept--;
            }
            out.putLittle(kept, prefix);
            out.copy(bytes, bytes.position(), kept);
            return;
        }
        byte[] value = new byte[length];
        row.readBytes(value);
        write(ascii(value), out);
    }

    private void write(String text, RowBytes out) {
        switch (kind) {
            case INTEGER -> out.putLittle(integer(text), width);
            case ENUM, SET -> out.putLittle(Long.parseUnsignedLong(text), width);
            case BIT -> out.putBig(Long.parseUnsignedLong(text), width);
            case DECIMAL -> decimal(text, out);
            case FLOAT -> out.putLittle(Float.floatToRawIntBits((float) Double.parseDouble(text)), Float.BYTES);
            case DOUBLE -> out.putLittle(Double.doubleToRawLongBits(Double.parseDouble(text)), Double.BYTES);
            case YEAR -> out.putLittle(Math.max(0, Integer.parseInt(text) - FIRST_YEAR), 1);
            case DATE -> out.putLittle(date(text), 3);
            case TIME -> time(text, out);
            case DATETIME -> datetime(text, out);
            case TIMESTAMP -> timestamp(text, out);
            default -> throw new IllegalArgumentException("type " + type.name() + " of column " + name);
        }
    }

    private long integer(String text) {
        return type.unsigned() ? Long.parseUnsignedLong(text) : Long.parseLong(text);
    }

    private void decimal(String text, RowBytes out) {
        int from = out.at();
        BigDecimal value = new BigDecimal(text);
        out.digits().set(value);
        if (!out.digits().write(type.length(), type.decimals(), out)) {
            throw new NumberFormatException(text);
        }
        if (text.startsWith("-") && value.signum() == 0) { // a server may store a negative zero
            for (int at = from; at < out.at(); at++) {
                out.buffer().put(at, (byte) ~out.buffer().get(at));
            }
        }
    }

    private static int part(String text, int from, int digits) {
        return Integer.parseInt(text, from, from + digits, 10);
    }

    private static int date(String text) {
        return part(text, 0, 4) << 9 | part(text, 5, 2) << 5 | part(text, 8, 2);
    }

    private static int clock(String text, int from, int hourDigits) {
        return StoredTime.packed(
                part(text, from, hourDigits),
                part(text, from + hourDigits + 1, 2),
                part(text, from + hourDigits + 4, 2));
    }

    /** The digits after the point as microseconds. */
    private static int micros(String text) {
        int point = text.indexOf('.');
        if (point < 0) {
            return 0;
        }
        int digits = text.length() - point - 1;
        return part(text, point + 1, digits) * StoredTime.microsOfDigit(digits);
    }

    private void fraction(int micros, RowBytes out) {
        int bytes = StoredTime.fractionBytes(Math.min(MICRO_DIGITS, type.decimals()));
        out.putBig(micros / StoredTime.microsOfUnit(bytes), bytes);
    }

    private void time(String text, RowBytes out) {
        boolean isNegative = text.startsWith("-");
        int from = isNegative ? 1 : 0;
        int packed = clock(text, from, text.indexOf(':') - from);
        int bytes = StoredTime.fractionBytes(type.decimals());
        out.putBig(StoredTime.time(isNegative, packed, micros(text), bytes), 3 + bytes);
    }

    private void datetime(String text, RowBytes out) {
        out.putBig(StoredTime.datetime(part(text, 0, 4), part(text, 5, 2), part(text, 8, 2), clock(text, 11, 2)), 5);
        fraction(micros(text), out);
    }

    private void timestamp(String text, RowBytes out) {
        boolean isZero = text.startsWith("0000");
        long seconds = isZero
                ? 0
                : LocalDateTime.of(
                                part(text, 0, 4),
                                part(text, 5, 2),
                                part(text, 8, 2),
                                part(text, 11, 2),
                                part(text, 14, 2),
                                part(text, 17, 2))
                        .toEpochSecond(ZoneOffset.UTC);
        out.putBig(seconds, 4);
        fraction(micros(text), out);
    }
}
