package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.schema.rows.convert.StoredTime;

/** Writes temporal values in MySQL's text form, such as {@code -838:59:59.000} or {@code 2024-02-29 23:59:59}. */
final class TimeText {
    /** Digits of a microsecond. */
    static final int MOST_DIGITS = 6;

    private static final int FIRST_YEAR = 1900;
    private static final int DAY = 24 * 60 * 60;
    /** From 1 March of the year 0. */
    private static final int DAYS_TO_1970 = 719_468;

    private static final int DAYS_OF_400_YEARS = 146_097;

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
        epochDay(out, seconds / DAY);
        out.writeByte(' ');
        long ofDay = seconds % DAY;
        clock(out, ofDay / 3600, ofDay / 60 % 60, ofDay % 60);
    }

    /** Writes the date of a number of days since 1970, from 0 on: years that begin in March, so that the leap day is the last one. */
    private static void epochDay(ByteBuf out, long since1970) {
        long since0 = since1970 + DAYS_TO_1970;
        long cycle = since0 / DAYS_OF_400_YEARS;
        long day = since0 - cycle * DAYS_OF_400_YEARS;
        long year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        long ofYear = day - (365 * year + year / 4 - year / 100);
        long fromMarch = (5 * ofYear + 2) / 153;
        long month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        date(out, year + 400 * cycle + (month <= 2 ? 1 : 0), month, ofYear - (153 * fromMarch + 2) / 5 + 1);
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
        two(out, month);
        out.writeByte('-');
        two(out, day);
    }

    private static void clock(ByteBuf out, long hours, long minutes, long seconds) {
        AsciiText.padded(out, hours, 2);
        out.writeByte(':');
        two(out, minutes);
        out.writeByte(':');
        two(out, seconds);
    }

    /** Months, days, minutes and seconds have at most six bits. */
    private static void two(ByteBuf out, long value) {
        out.ensureWritable(2);
        AsciiText.fixed(out, (int) value, 2);
    }
}
