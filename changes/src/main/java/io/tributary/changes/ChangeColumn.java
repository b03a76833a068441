package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.row.RealText;
import io.tributary.replay.row.ScalarText;
import io.tributary.replay.row.StoredJson;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A column of a table: decodes its values from the bytes of a row. Immutable. Methods with an image are only for values that are not NULL.
 *
 * <p>{@link #integer} is for INTEGER, BIT, YEAR, ENUM and SET; {@link #real} for FLOAT and DOUBLE; {@link #appendText} for all but BYTES, GEOMETRY and
 * VECTOR; {@link #at} and {@link #length} are the stored bytes of any value, which are those of the value for TEXT (see {@link #isUtf8}), BYTES
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
    private final StoredCharacters characters;
    /** The texts of ENUM and SET values, in UTF-8. */
    private final byte[][] labels;

    private final int leastBytes;
    private final boolean isSelected;

    /** @param isSelected whether the values were selected, so that a JSON value is its text in UTF-8 */
    ChangeColumn(Column definition, TableShape shape, int index, boolean isSelected) {
        this.isSelected = isSelected;
        this.index = index;
        this.definition = definition;
        this.kind = kindOf(definition.type());
        int width = shape.width(index);
        this.prefix = Math.max(0, -width);
        this.digits = definition.type().decimals();
        this.isUnsigned = definition.type().unsigned();
        this.scalar = ScalarText.of(shape, index, isUnsigned || kind == ValueKind.SET);
        this.characters = characters(definition, kind);
        this.labels = definition.type().values().stream()
                .map(value -> value.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.leastBytes = switch (definition.type().name()) {
            case "binary" -> definition.type().length();
            case "uuid", "inet6" -> 16;
            case "inet4" -> 4;
            default -> 0;
        };
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

    private static StoredCharacters characters(Column column, ValueKind kind) {
        String name = kind == ValueKind.TEXT ? LoggedColumn.charset(column.type()) : "utf8mb4";
        return StoredCharacters.of(name)
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.REPLAY_FAILED,
                        "column " + column.name() + ": expected a character set that can be converted to UTF-8, found "
                                + name + "; convert the column to utf8mb4, or leave the table out"));
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

    /** Whether TEXT values are stored as UTF-8. */
    public boolean isUtf8() {
        return characters.isUtf8();
    }

    /** Whether the value is NULL. */
    public boolean isNull(RowImage image) {
        return image.isNull(index);
    }

    /** The bytes of the length before a value; 0 if values have none. */
    int prefix() {
        return prefix;
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
        return Math.max(length(image), leastBytes);
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

    /** A FLOAT or DOUBLE; EVENT_MALFORMED if it is not finite, which no server stores. */
    public double real(RowImage image) {
        ByteBuffer view = image.view();
        double value = kind == ValueKind.FLOAT
                ? Float.intBitsToFloat(LittleEndian.getInt(view, at(image)))
                : Double.longBitsToDouble(LittleEndian.getLong(view, at(image)));
        if (!Double.isFinite(value)) {
            throw malformed("a finite number", Double.toString(value));
        }
        return value;
    }

    /** The text of an ENUM value, or those of a SET value with commas between them; "" for 0; EVENT_MALFORMED for a number that has none. */
    public String labels(RowImage image) {
        ByteBuf text = Unpooled.buffer();
        appendLabels(text, image);
        return text.toString(StandardCharsets.UTF_8);
    }

    private void appendLabels(ByteBuf out, RowImage image) {
        long number = integer(image);
        boolean isEnum = kind == ValueKind.ENUM;
        boolean isKnown =
                isEnum ? number <= labels.length : labels.length == Long.SIZE || number >>> labels.length == 0;
        if (!isKnown) {
            throw malformed("one of " + labels.length + " values", "number " + Long.toUnsignedString(number));
        }
        if (isEnum) {
            if (number != 0) {
                out.writeBytes(labels[(int) number - 1]);
            }
            return;
        }
        long left = number;
        while (left != 0) {
            out.writeBytes(labels[Long.numberOfTrailingZeros(left)]);
            left &= left - 1;
            if (left != 0) {
                out.writeByte(',');
            }
        }
    }

    private TributaryException malformed(String expected, String found) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED, "value of column " + name() + ": expected " + expected + ", found " + found);
    }

    /**
     * Appends a value in UTF-8 as a server shows it, without the zeros of ZEROFILL: FLOAT and DOUBLE with the fewest digits that give the value back,
     * BIT as a number, ENUM and SET as their texts, TIMESTAMP in UTC.
     */
    public void appendText(ByteBuf out, RowImage image) {
        switch (kind) {
            case TEXT -> characters.append(out, image.view(), at(image), length(image));
            case ENUM, SET -> appendLabels(out, image);
            case JSON -> {
                if (isSelected) {
                    characters.append(out, image.view(), at(image), length(image));
                } else {
                    StoredJson.appendShown(out, image.view(), at(image), length(image));
                }
            }
            case FLOAT -> RealText.append(out, (float) real(image));
            case DOUBLE -> RealText.append(out, real(image));
            case BYTES, GEOMETRY, VECTOR -> throw new IllegalStateException(name() + " has no text");
            default -> scalar.append(out, image.view(), at(image));
        }
    }

    /** A TEXT value. */
    public String characters(RowImage image) {
        return characters(image.view(), at(image), length(image));
    }

    /** The text of bytes in the character set of a TEXT column. */
    public String characters(ByteBuffer view, int at, int length) {
        ByteBuf text = Unpooled.buffer(length);
        characters.append(text, view, at, length);
        return text.toString(StandardCharsets.UTF_8);
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
