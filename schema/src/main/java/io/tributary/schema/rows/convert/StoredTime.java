package io.tributary.schema.rows.convert;

/** Temporal values in the form of rows (my_time.cc: my_datetime_packed_to_binary and others). */
public final class StoredTime {
    public static final int MICROS = 1_000_000;
    private static final int[] MICROS_OF_UNIT = {MICROS, 10_000, 100, 1};
    private static final int[] MICROS_OF_DIGIT = {MICROS, 100_000, 10_000, 1000, 100, 10, 1};

    private StoredTime() {}

    /** The whole seconds of a DATETIME, 5 bytes. */
    public static long datetime(int year, int month, int day, int secondOfDayPacked) {
        long days = (year * 13L + month) << 5 | day;
        return 0x80_0000_0000L | days << 17 | secondOfDayPacked;
    }

    /** Hours, minutes and seconds in one integer: 6 bits each for minutes and seconds. */
    public static int packed(int hours, int minutes, int seconds) {
        return hours << 12 | minutes << 6 | seconds;
    }

    /** Bytes of a fraction with this number of digits. */
    public static int fractionBytes(int digits) {
        return (digits + 1) / 2;
    }

    public static int microsOfUnit(int fractionBytes) {
        return MICROS_OF_UNIT[fractionBytes];
    }

    /** Microseconds of the last one of this number of digits. */
    public static int microsOfDigit(int digits) {
        return MICROS_OF_DIGIT[digits];
    }

    /** A TIME with its sign: 3 bytes and the bytes of the fraction. */
    public static long time(boolean negative, int packed, int micros, int fractionBytes) {
        int bits = 8 * fractionBytes;
        long magnitude = (long) packed << bits | (fractionBytes == 0 ? 0 : micros / MICROS_OF_UNIT[fractionBytes]);
        return (0x80_0000L << bits) + (negative ? -magnitude : magnitude);
    }
}
