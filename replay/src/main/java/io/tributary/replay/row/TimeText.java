package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.schema.rows.convert.StoredTime;
import java.time.LocalDate;

/** Writes temporal values in MySQL's text form, such as {@code -838:59:59.000} or {@code 2024-02-29 23:59:59}. */
final class TimeText {
    /** Digits of a microsecond. */
    static final int MOST_DIGITS = 6;

    private static final int FIRST_YEAR = 1900;
    private static final int DAY = 24 * 60 * 60;

    private TimeText() {}

    /** Writes a YEAR: 0, or the years since 1900. */
    static void year(ByteBuf out, int stored) {
        AsciiText.padded(out, stored == 0 ? 0 : FIRST_YEAR + stored, 4);
    }

    /** Writes a DATE: the day in 5 bits, above it the month in 4 bits and the year. */
    static void date(ByteBuf out, int stored) {
        date(out, stored >> 9, stored >> 5 & 15, stored & 31);
    }

    /** Writes the date of a packed datetime: below it the clock in 17 bits. */
    static void packedDate(ByteBuf out, long packed) {
        long days = packed >> 17;
        long months = days >> 5;
        date(out, months / 13, months % 13, days & 31);
    }

    /** Writes a packed datetime without fraction. */
    static void packed(ByteBuf out, long packed) {
        packedDate(out, packed);
        out.writeByte(' ');
        clock(out, packed & (1 << 17) - 1);
    }

    /** Writes hours, minutes and seconds: 6 bits each for minutes and seconds. */
    static void clock(ByteBuf out, long packed) {
        clock(out, packed >> 12, packed >> 6 & 63, packed & 63);
    }

    /** Writes the UTC time of a number of seconds since 1970; the zero time for 0. */
    static void seconds(ByteBuf out, long seconds) {
        if (seconds == 0) {
            packed(out, 0);
            return;
        }
        LocalDate date = LocalDate.ofEpochDay(seconds / DAY);
        date(out, date.getYear(), date.getMonthValue(), date.getDayOfMonth());
        out.writeByte(' ');
        long ofDay = seconds % DAY;
        clock(out, ofDay / 3600, ofDay / 60 % 60, ofDay % 60);
    }

    /** Writes the point and this number of digits; nothing for 0 digits. */
    static void fraction(ByteBuf out, long micros, int digits) {
        if (digits > 0) {
            out.writeByte('.');
            AsciiText.padded(out, micros / StoredTime.microsOfDigit(digits), digits);
        }
    }

    private static void date(ByteBuf out, long year, long month, long day) {
        AsciiText.padded(out, year, 4);
        out.writeByte('-');
        AsciiText.padded(out, month, 2);
        out.writeByte('-');
        AsciiText.padded(out, day, 2);
    }

    private static void clock(ByteBuf out, long hours, long minutes, long seconds) {
        AsciiText.padded(out, hours, 2);
        out.writeByte(':');
        AsciiText.padded(out, minutes, 2);
        out.writeByte(':');
        AsciiText.padded(out, seconds, 2);
    }
}
