package io.tributary.sink.route;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import io.tributary.schema.keys.KeyForm;
import io.tributary.schema.keys.TableKeys;
import java.nio.ByteBuffer;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A column by whose values rows are divided. Values that the server considers equal have the same bytes here: numbers in decimal; binary values without the
 * zeros and spaces that servers add; texts without spaces at the end, and for a collation that is not binary in small letters without accents and control
 * characters. A text of such a collation that still has other characters than ASCII has no bytes, because their equality is not known here; neither has any
 * value of a column whose collation is not known. So these are divided by the other columns only. Immutable.
 */
final class HashedValue {
    private static final Pattern MARKS = Pattern.compile("[\\p{M}\\p{Cc}\\p{Cf}]");
    private static final int DELETE = 0x7f;

    private final ChangeColumn column;
    private final KeyForm form;

    HashedValue(ChangeColumn column) {
        this.column = column;
        this.form = TableKeys.form(column.type()).orElse(null);
    }

    ChangeColumn column() {
        return column;
    }

    /** Whether no value of the column has bytes. */
    boolean isUnknown() {
        return form == null && column.kind() == ValueKind.TEXT;
    }

    /** Whether two values have the same bytes in their rows. */
    boolean isSame(RowImage before, RowImage after) {
        if (column.isNull(before) || column.isNull(after)) {
            return column.isNull(before) == column.isNull(after);
        }
        int length = column.length(before);
        ByteBuffer view = after.view();
        return length == column.length(after)
                && before.view().slice(column.at(before), length).equals(view.slice(column.at(after), length));
    }

    /** Appends the bytes by which a value is divided; nothing for NULL. */
    void append(ByteBuf out, RowImage image) {
        if (column.isNull(image)) {
            return;
        }
        switch (column.kind()) {
            case INTEGER, BIT, YEAR, ENUM, SET -> appendInteger(out, column.integer(image));
            case FLOAT, DOUBLE -> {
                double value = column.real(image) + 0.0; // -0.0 becomes 0.0
                ByteBufUtil.writeAscii(
                        out, column.kind() == ValueKind.FLOAT ? Float.toString((float) value) : Double.toString(value));
            }
            case DECIMAL -> appendDecimal(out, image);
            case TEXT -> appendText(out, image);
            case BYTES, GEOMETRY, VECTOR -> {
                int length = column.length(image);
                int end = column.at(image) + length;
                if (form == KeyForm.PADDED_BYTES) {
                    while (length > 0 && isPad(image.view().get(end - 1))) {
                        end--;
                        length--;
                    }
                }
                out.writeBytes(image.view().slice(column.at(image), length));
            }
            default -> column.appendText(out, image);
        }
    }

    private void appendInteger(ByteBuf out, long value) {
        boolean isSigned = column.kind() == ValueKind.INTEGER && !column.isUnsigned();
        ByteBufUtil.writeAscii(out, isSigned ? Long.toString(value) : Long.toUnsignedString(value));
    }

    private static boolean isPad(byte one) {
        return one == 0 || one == ' ';
    }

    /** A server may store a negative zero. */
    private void appendDecimal(ByteBuf out, RowImage image) {
        int from = out.writerIndex();
        column.appendText(out, image);
        boolean isZero = out.getByte(from) == '-';
        for (int i = from + 1; i < out.writerIndex() && isZero; i++) {
            isZero = out.getByte(i) == '0' || out.getByte(i) == '.';
        }
        if (isZero) {
            out.setBytes(from, out.copy(from + 1, out.writerIndex() - from - 1));
            out.writerIndex(out.writerIndex() - 1);
        }
    }

    private void appendText(ByteBuf out, RowImage image) {
        if (form == null) {
            return;
        }
        ByteBuffer view = image.view();
        int at = column.at(image);
        int length = column.length(image);
        while (length > 0 && view.get(at + length - 1) == ' ') {
            length--;
        }
        if (form == KeyForm.TEXT) {
            out.writeBytes(view.slice(at, length));
            return;
        }
        int from = out.writerIndex();
        for (int i = 0; i < length; i++) {
            byte one = view.get(at + i);
            if (one < 0) {
                out.writerIndex(from);
                appendOther(out, image);
                return;
            }
            if (one >= ' ' && one != DELETE) {
                out.writeByte(one >= 'A' && one <= 'Z' ? one | 0x20 : one);
            }
        }
        trim(out, from);
    }

    /** Spaces are also at the end if only control characters follow. */
    private static void trim(ByteBuf out, int from) {
        int end = out.writerIndex();
        while (end > from && out.getByte(end - 1) == ' ') {
            end--;
        }
        out.writerIndex(end);
    }

    private void appendOther(ByteBuf out, RowImage image) {
        String plain = MARKS.matcher(Normalizer.normalize(column.characters(image), Normalizer.Form.NFKD))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
        if (plain.chars().allMatch(one -> one < DELETE)) {
            int from = out.writerIndex();
            ByteBufUtil.writeAscii(out, plain);
            trim(out, from);
        }
    }
}
