package io.tributary.changes;

import io.tributary.schema.rows.convert.StoredTime;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A value of a DATE, TIME, DATETIME or TIMESTAMP column as numbers. MySQL stores dates that no calendar has: zero dates, months or days of 0, and with
 * ALLOW_INVALID_DATES a 31 February; {@link #isReal} says whether a value has days and microseconds. Used again for each value; for one thread.
 */
public final class StoredMoment {
    private static final long DATETIME_ZERO = 0x80_0000_0000L;
    private static final long TIME_ZERO = 0x80_0000L;
    private static final int DATETIME_BYTES = 5;
    private static final int TIMESTAMP_BYTES = 4;
    private static final int TIME_BYTES = 3;
    private static final long DAY_MICROS = TimeUnit.DAYS.toMicros(1);

    /** From 1 March of the year 0. */
    private static final int DAYS_TO_1970 = 719_468;

    private boolean isReal;
    private long days;
    private long micros;

    /** Reads the value of a column. */
    public void read(ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        switch (column.kind()) {
            case DATE -> {
                int stored = (int) ChangeColumn.little(view, at, 3);
                date(stored >> 9, stored >> 5 & 15, stored & 31);
                micros = days * DAY_MICROS;
            }
            case DATETIME -> {
                long packed = ChangeColumn.big(view, at, DATETIME_BYTES) - DATETIME_ZERO;
                long months = packed >> 22;
                date(months / 13, months % 13, packed >> 17 & 31);
                micros = days * DAY_MICROS
                        + clock(packed & (1 << 17) - 1)
                        + fraction(view, at + DATETIME_BYTES, column.digits());
            }
            case TIMESTAMP -> {
                long seconds = ChangeColumn.big(view, at, TIMESTAMP_BYTES);
                isReal = seconds != 0;
                micros = TimeUnit.SECONDS.toMicros(seconds) + fraction(view, at + TIMESTAMP_BYTES, column.digits());
                days = micros / DAY_MICROS;
            }
            case TIME -> time(view, at, column.digits());
            default -> throw new IllegalArgumentException(column.name() + " has no time");
        }
    }

    private void date(long year, long month, long day) {
        isReal = month > 0 && month <= 12 && day > 0 && day <= lengthOfMonth(year, month);
        days = isReal ? epochDay(year, month, day) : 0;
    }

    private static long lengthOfMonth(long year, long month) {
        if (month == 2) {
            boolean isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            return isLeap ? 29 : 28;
        }
        return 30 + ((month + month / 8) & 1);
    }

    /** Counts years from March on, so that the leap day is the last one. */
    private static long epochDay(long year, long month, long day) {
        long marchYear = month <= 2 ? year - 1 : year;
        long fromMarch = (month + 9) % 12;
        long leapDays = Math.floorDiv(marchYear, 4L) - Math.floorDiv(marchYear, 100L) + Math.floorDiv(marchYear, 400L);
        return 365 * marchYear + leapDays + (153 * fromMarch + 2) / 5 + day - 1 - DAYS_TO_1970;
    }

    private static long clock(long packed) {
        return TimeUnit.SECONDS.toMicros((packed >> 12) * 3600 + (packed >> 6 & 63) * 60 + (packed & 63));
    }

    private static long fraction(ByteBuffer view, int at, int digits) {
        int bytes = StoredTime.fractionBytes(digits);
        return ChangeColumn.big(view, at, bytes) * StoredTime.microsOfUnit(bytes) % StoredTime.MICROS;
    }

    private void time(ByteBuffer view, int at, int digits) {
        int bytes = StoredTime.fractionBytes(digits);
        int bits = Byte.SIZE * bytes;
        long value = ChangeColumn.big(view, at, TIME_BYTES + bytes) - (TIME_ZERO << bits);
        long size = Math.abs(value);
        long whole =
                (size & (1L << bits) - 1) * StoredTime.microsOfUnit(bytes) % StoredTime.MICROS + clock(size >> bits);
        isReal = true;
        days = 0;
        micros = value < 0 ? -whole : whole;
    }

    /** Whether the value is a date of the calendar, or a TIME. If not, the numbers have no meaning. */
    public boolean isReal() {
        return isReal;
    }

    /** Days since 1970 of a DATE, DATETIME or TIMESTAMP. */
    public long days() {
        return days;
    }

    /** Microseconds since 1970, in UTC for TIMESTAMP; of a TIME its microseconds, negative for a negative one. */
    public long micros() {
        return micros;
    }
}
