package io.tributary.mysql.event.row;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Converts temporal values to MySQL's text form (my_time.cc: my_datetime_packed_from_binary and others). */
final class TimeValue {
    private static final int[] MICROS_OF_UNIT = {0, 10_000, 100, 1};

    private TimeValue() {}

    static String date(ByteBuffer view, int from) {
        int value = LittleEndian.getU24(view, from);
        return date(value >> 9, value >> 5 & 15, value & 31);
    }

    /** TIME before 5.6: hhmmss as a decimal number. */
    static String time(ByteBuffer view, int from) {
        int value = LittleEndian.getU24(view, from) << 8 >> 8;
        int positive = Math.abs(value);
        return time(value < 0, positive / 10_000, positive / 100 % 100, positive % 100);
    }

    /** DATETIME before 5.6: yyyymmddhhmmss as a decimal number. */
    static String datetime(ByteBuffer view, int from) {
        long value = LittleEndian.getLong(view, from);
        int day = (int) (value / 1_000_000);
        int second = (int) (value % 1_000_000);
        return date(day / 10_000, day / 100 % 100, day % 100) + " "
                + time(false, second / 10_000, second / 100 % 100, second % 100);
    }

    static String time2(ByteBuffer view, int from, int digits) {
        int fraction = (digits + 1) / 2;
        int bits = Byte.SIZE * fraction;
        long value = ColumnValue.bigEndian(view, from, from + 3 + fraction) - (0x80_0000L << bits);
        long positive = Math.abs(value);
        int whole = (int) (positive >> bits);
        long micros = (positive & ((1L << bits) - 1)) * MICROS_OF_UNIT[fraction];
        return time(value < 0, whole >> 12 & 0x3ff, whole >> 6 & 63, whole & 63) + fraction(micros, digits);
    }

    static String datetime2(ByteBuffer view, int from, int digits) {
        long value = ColumnValue.bigEndian(view, from, from + 5) - 0x80_0000_0000L;
        int day = (int) (value >> 17);
        int month = day >> 5;
        int second = (int) (value & 0x1_ffff);
        return date(month / 13, month % 13, day & 31) + " "
                + time(false, second >> 12, second >> 6 & 63, second & 63)
                + fraction(micros(view, from + 5, digits), digits);
    }

    static String timestamp2(ByteBuffer view, int from, int digits) {
        return timestamp(ColumnValue.bigEndian(view, from, from + 4), micros(view, from + 4, digits), digits);
    }

    static String timestamp(long seconds, long micros, int digits) {
        if (seconds == 0) {
            return "0000-00-00 00:00:00" + fraction(0, digits);
        }
        LocalDateTime utc = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        return date(utc.getYear(), utc.getMonthValue(), utc.getDayOfMonth()) + " "
                + time(false, utc.getHour(), utc.getMinute(), utc.getSecond())
                + fraction(micros, digits);
    }

    private static long micros(ByteBuffer view, int from, int digits) {
        int bytes = (digits + 1) / 2;
        return ColumnValue.bigEndian(view, from, from + bytes) * MICROS_OF_UNIT[bytes];
    }

    private static String date(int year, int month, int day) {
        return String.format("%04d-%02d-%02d", year, month, day);
    }

    private static String time(boolean negative, int hours, int minutes, int seconds) {
        return String.format("%s%02d:%02d:%02d", negative ? "-" : "", hours, minutes, seconds);
    }

    private static String fraction(long micros, int digits) {
        return digits == 0 ? "" : "." + String.format("%06d", micros).substring(0, digits);
    }
}
