package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.row.ScalarText;
import io.tributary.replay.row.StoredJson;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A column of a table: decodes its values from the bytes of a row. Immutable. Methods with an image are only for values that are not NULL.
 *
 * <p>{@link #integer} is for INTEGER, BIT, YEAR, ENUM and SET; {@link #real} for FLOAT and DOUBLE; {@link #appendText} for all but BYTES, GEOMETRY and
 * VECTOR; {@link #at} and {@link #length} are the stored bytes of any value, which are those of the value for TEXT (in {@link #charset}), BYTES
 * (without the zeros at the end of a BINARY, see {@link #padded}), GEOMETRY and VECTOR. Times are decoded by {@link StoredMoment}.
 */
public final class ChangeColumn {
    private static final int FIRST_YEAR = 1900;

    private final int index;
    private final Column definition;
    private final ValueKind kind;
    private final int prefix;
    private final int digits;
    private final boolean isUnsigned;
    private final ScalarText scalar;
    private final Charset charset;

    ChangeColumn(Column definition, TableShape shape, int index) {
        this.index = index;
        this.definition = definition;
        this.kind = kindOf(definition.type());
        int width = shape.width(index);
        this.prefix = Math.max(0, -width);
        this.digits = definition.type().decimals();
        this.isUnsigned = definition.type().unsigned();
        this.scalar = ScalarText.of(shape, index, isUnsigned || kind == ValueKind.SET);
        this.charset = kind == ValueKind.TEXT ? charset(definition) : StandardCharsets.UTF_8;
    }

    private static ValueKind kindOf(SqlType type) {
        if (type.isInteger()) {
            return ValueKind.INTEGER;
        }
        if (type.isGeometry()) {
            return ValueKind.GEOMETRY;
        }
        return switch (type.name()) {
            case "decimal" -> ValueKind.DECIMAL;
            case "float" -> ValueKind.FLOAT;
            case "double" -> ValueKind.DOUBLE;
            case "bit" -> ValueKind.BIT;
            case "year" -> ValueKind.YEAR;
            case "date" -> ValueKind.DATE;
            case "time" -> ValueKind.TIME;
            case "datetime" -> ValueKind.DATETIME;
            case "timestamp" -> ValueKind.TIMESTAMP;
            case "enum" -> ValueKind.ENUM;
            case "set" -> ValueKind.SET;
            case "json" -> ValueKind.JSON;
            case "vector" -> ValueKind.VECTOR;
            default -> type.isCharacter() && !type.charset().equals("binary") ? ValueKind.TEXT : ValueKind.BYTES;
        };
    }

    private static Charset charset(Column column) {
        String name = Collations.named(column.type().collation())
                .map(collation -> collation.charset())
                .orElse("utf8mb4");
        return Collations.charset(name)
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.REPLAY_FAILED,
                        "column " + column.name() + ": expected a character set that Java can decode, found " + name));
    }

    /** Its place in the table, from 0. */
    public int index() {
        return index;
    }

    public String name() {
        return definition.name();
    }

    public Column definition() {
        return definition;
    }

    public SqlType type() {
        return definition.type();
    }

    public ValueKind kind() {
        return kind;
    }

    /** Whether an integer has no sign. */
    public boolean isUnsigned() {
        return isUnsigned;
    }

    /** Digits of the fraction of a second, 0..6. */
    public int digits() {
        return digits;
    }

    /** The character set of TEXT values; US-ASCII and UTF-8 need no conversion. */
    public Charset charset() {
        return charset;
    }

    /** Whether TEXT values are stored as UTF-8. */
    public boolean isUtf8() {
        return charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.US_ASCII);
    }

    /** Whether the value is NULL. */
    public boolean isNull(RowImage image) {
        return image.isNull(index);
    }

    /** The offset of the stored bytes of a value in {@link RowImage#view}. */
    public int at(RowImage image) {
        return image.valueAt(index) + prefix;
    }

    /** The number of stored bytes of a value. */
    public int length(RowImage image) {
        return image.valueEnd(index) - image.valueAt(index) - prefix;
    }

    /** The bytes of a BYTES value with the zeros at its end that rows leave out; {@link #length} for other columns. */
    public int padded(RowImage image) {
        int length = length(image);
        return definition.type().name().equals("binary")
                ? Math.max(length, definition.type().length())
                : length;
    }

    /** A copy of the bytes of a value, padded. */
    public byte[] bytes(RowImage image) {
        byte[] value = new byte[padded(image)];
        image.view().get(at(image), value, 0, length(image));
        return value;
    }

    /** An integer: of an unsigned column its 64 bits; bits of BIT and SET; the number of an ENUM value, 0 = ''; a YEAR, 0 or 1901 to 2155. */
    public long integer(RowImage image) {
        ByteBuffer view = image.view();
        int at = at(image);
        int length = length(image);
        return switch (kind) {
            case BIT -> big(view, at, length);
            case YEAR -> {
                int stored = LittleEndian.getU8(view, at);
                yield stored == 0 ? 0 : FIRST_YEAR + stored;
            }
            case INTEGER -> {
                long value = little(view, at, length);
                int unused = Long.SIZE - Byte.SIZE * length;
                yield isUnsigned ? value : value << unused >> unused;
            }
            default -> little(view, at, length);
        };
    }

    /** A FLOAT or DOUBLE. */
    public double real(RowImage image) {
        ByteBuffer view = image.view();
        return kind == ValueKind.FLOAT
                ? Float.intBitsToFloat(LittleEndian.getInt(view, at(image)))
                : Double.longBitsToDouble(LittleEndian.getLong(view, at(image)));
    }

    /** The text of an ENUM value, or those of a SET value with commas between them; "" for 0. */
    public String labels(RowImage image) {
        List<String> values = definition.type().values();
        long number = integer(image);
        if (kind == ValueKind.ENUM) {
            return number == 0 || number > values.size() ? "" : values.get((int) number - 1);
        }
        StringBuilder labels = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            if ((number >>> i & 1) != 0) {
                labels.append(labels.isEmpty() ? "" : ",").append(values.get(i));
            }
        }
        return labels.toString();
    }

    /**
     * Appends a value in UTF-8 as a server shows it: FLOAT and DOUBLE with the fewest digits that give the value back, BIT as a number, ENUM and SET as
     * their texts, TIMESTAMP in UTC.
     */
    public void appendText(ByteBuf out, RowImage image) {
        switch (kind) {
            case TEXT -> appendCharacters(out, image);
            case ENUM, SET -> ByteBufUtil.writeUtf8(out, labels(image));
            case JSON -> StoredJson.appendShown(out, image.view(), at(image), length(image));
            case FLOAT -> ByteBufUtil.writeAscii(out, Float.toString((float) real(image)));
            case DOUBLE -> ByteBufUtil.writeAscii(out, Double.toString(real(image)));
            case BYTES, GEOMETRY, VECTOR -> throw new IllegalStateException(name() + " has no text");
            default -> scalar.append(out, image.view(), at(image));
        }
    }

    private void appendCharacters(ByteBuf out, RowImage image) {
        int length = length(image);
        if (isUtf8()) {
            out.ensureWritable(length);
            out.writeBytes(image.view().slice(at(image), length));
        } else {
            ByteBufUtil.writeUtf8(out, characters(image));
        }
    }

    /** A TEXT value. */
    public String characters(RowImage image) {
        byte[] value = new byte[length(image)];
        image.view().get(at(image), value);
        return new String(value, charset);
    }

    static long little(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << 8 | view.get(at + i) & 0xff;
        }
        return value;
    }

    static long big(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | view.get(at + i) & 0xff;
        }
        return value;
    }
}
