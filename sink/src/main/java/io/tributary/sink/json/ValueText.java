package io.tributary.sink.json;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import io.tributary.schema.rows.convert.StoredTime;
import java.nio.ByteBuffer;

/**
 * Appends values of rows to an output as the contents of strings, without quotes. Each value is not NULL. Used again for each value; for one thread.
 */
public final class ValueText {
    private static final int DATETIME_BYTES = 5;
    private static final long DATETIME_ZERO = 0x80_0000_0000L;
    private static final int TIMESTAMP_BYTES = 4;
    private static final int TIME_BYTES = 3;
    private static final long TIME_ZERO = 0x80_0000L;
    private static final int DAY = 24 * 60 * 60;
    private static final int FLOAT_BYTES = 4;

    private final JsonOutput out;
    private final ShortestDigits shortest = new ShortestDigits();
    private ByteBuf json = Unpooled.buffer();

    public ValueText(JsonOutput out) {
        this.out = out;
    }

    /** An integer, the number of an ENUM, the bits of a SET or BIT as a number. */
    public void integer(ChangeColumn column, RowImage image) {
        long value = column.integer(image);
        if (column.kind() != ValueKind.INTEGER || column.isUnsigned()) {
            out.unsigned(value);
        } else {
            out.integer(value);
        }
    }

    /**
     * A FLOAT or DOUBLE with the fewest digits.
     *
     * @param isNumber whether it is a number of JSON, which may have an exponent
     */
    public void real(ChangeColumn column, RowImage image, boolean isNumber) {
        double value = column.real(image);
        if (column.kind() == ValueKind.FLOAT) {
            shortest.set((float) value);
        } else {
            shortest.set(value);
        }
        shown(isNumber);
    }

    private void shown(boolean isNumber) {
        if (isNumber) {
            shortest.number(out);
        } else {
            shortest.plain(out);
        }
    }

    /** A DECIMAL as a server shows it. */
    public void decimal(ChangeColumn column, RowImage image) {
        int scale = column.type().decimals();
        StoredDecimal.append(out, image.view(), column.at(image), column.type().length() - scale, scale);
    }

    /** A YEAR with four digits. */
    public void year(ChangeColumn column, RowImage image) {
        out.padded(column.integer(image), 4);
    }

    /** A DATE, TIME, DATETIME or TIMESTAMP, the last in UTC, as a server shows it. */
    public void moment(ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        switch (column.kind()) {
            case DATE -> {
                int stored = view.get(at) & 0xff | (view.get(at + 1) & 0xff) << 8 | (view.get(at + 2) & 0xff) << 16;
                date(stored >> 9, stored >> 5 & 15, stored & 31);
            }
            case DATETIME -> {
                long packed = big(view, at, DATETIME_BYTES) - DATETIME_ZERO;
                int months = (int) (packed >> 22);
                date(months / 13, months % 13, (int) (packed >> 17) & 31);
                out.character(' ');
                clock((int) packed & (1 << 17) - 1);
                fraction(view, at + DATETIME_BYTES, column.digits());
            }
            case TIMESTAMP -> {
                timestamp(big(view, at, TIMESTAMP_BYTES), ' ');
                fraction(view, at + TIMESTAMP_BYTES, column.digits());
            }
            default -> time(view, at, column.digits());
        }
    }

    /** A TIMESTAMP in UTC in the form of ISO 8601, with all digits of the column. */
    public void instant(ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        timestamp(big(view, at, TIMESTAMP_BYTES), 'T');
        fraction(view, at + TIMESTAMP_BYTES, column.digits());
        out.character('Z');
    }

    private void date(int year, int month, int day) {
        out.padded(year, 4).character('-').padded(month, 2).character('-').padded(day, 2);
    }

    private void clock(int packed) {
        clock(packed >> 12, packed >> 6 & 63, packed & 63);
    }

    private void clock(int hours, int minutes, int seconds) {
        out.padded(hours, hours < 100 ? 2 : 3)
                .character(':')
                .padded(minutes, 2)
                .character(':')
                .padded(seconds, 2);
    }

    private void timestamp(long seconds, char between) {
        if (seconds == 0) {
            date(0, 0, 0);
        } else {
            day((int) (seconds / DAY));
        }
        int ofDay = (int) (seconds % DAY);
        out.character(between);
        clock(ofDay / 3600, ofDay / 60 % 60, ofDay % 60);
    }

    /** Writes the date of a day since 1970, counted in years that begin in March, of which 400 have as many days as any other 400. */
    private void day(int days) {
        int since = days + 719_468; // since 0000-03-01
        int era = since / 146_097;
        int dayOfEra = since % 146_097;
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        date(400 * era + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1);
    }

    private void time(ByteBuffer view, int at, int digits) {
        int bytes = StoredTime.fractionBytes(digits);
        int bits = Byte.SIZE * bytes;
        long value = big(view, at, TIME_BYTES + bytes) - (TIME_ZERO << bits);
        long size = Math.abs(value);
        if (value < 0) {
            out.character('-');
        }
        clock((int) (size >> bits));
        fraction((int) (size & (1L << bits) - 1), bytes, digits);
    }

    private void fraction(ByteBuffer view, int at, int digits) {
        int bytes = StoredTime.fractionBytes(digits);
        fraction((int) big(view, at, bytes), bytes, digits);
    }

    private void fraction(int stored, int bytes, int digits) {
        if (digits > 0) {
            int micros = stored * StoredTime.microsOfUnit(bytes);
            out.character('.').padded(micros / StoredTime.microsOfDigit(digits), digits);
        }
    }

    private static long big(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << Byte.SIZE | view.get(at + i) & 0xff;
        }
        return value;
    }

    /**
     * Characters in UTF-8.
     *
     * @param characters how those of the column are converted
     */
    public void characters(ChangeColumn column, RowImage image, ByteCharacters characters) {
        if (column.isUtf8()) {
            out.utf8(image.view(), column.at(image), column.length(image));
        } else if (characters.isOfBytes()) {
            out.mapped(image.view(), column.at(image), column.length(image), characters.rows());
        } else {
            out.text(column.characters(image));
        }
    }

    /** A JSON value as a server shows it. */
    public void json(ChangeColumn column, RowImage image) {
        if (json.capacity() > JsonOutput.MOST_KEPT) {
            json = Unpooled.buffer();
        }
        json.clear();
        column.appendText(json, image);
        out.utf8(json.array(), json.arrayOffset(), json.readableBytes());
    }

    /**
     * A vector such as {@code [1,-0.5]}, each number with the fewest digits.
     *
     * @param isNumber whether these are numbers of JSON, which may have an exponent
     */
    public void vector(ChangeColumn column, RowImage image, boolean isNumber) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        int end = at + column.length(image);
        out.character('[');
        for (int i = at; i < end; i += FLOAT_BYTES) {
            if (i > at) {
                out.character(',');
            }
            shortest.set(Float.intBitsToFloat(Integer.reverseBytes((int) big(view, i, FLOAT_BYTES))));
            shown(isNumber);
        }
        out.character(']');
    }

    /** Bytes as the characters of ISO 8859-1 with the same numbers. */
    public void bytesAsCharacters(ChangeColumn column, RowImage image) {
        int length = column.length(image);
        out.mapped(image.view(), column.at(image), length, ByteCharacters.LATIN.rows());
        for (int i = column.padded(image); i > length; i--) {
            out.raw(ByteCharacters.LATIN.rows()[0]);
        }
    }

    /** Bytes in base64. */
    public void base64(ChangeColumn column, RowImage image) {
        int length = column.length(image);
        out.base64(image.view(), column.at(image), length, column.padded(image) - length);
    }

    /** A finite number with the fewest digits, as a number of JSON. */
    public void number(double value) {
        shortest.set(value);
        shortest.number(out);
    }
}
