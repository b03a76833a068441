package io.tributary.sink.avro;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.schema.rows.convert.StoredTime;
import java.nio.ByteBuffer;

/** Writes DATE, TIME, DATETIME and TIMESTAMP (in UTC) as strings, as a server shows them. */
final class AvroTime {
    private static final long DATETIME_ZERO = 0x80_0000_0000L;
    private static final long TIME_ZERO = 0x80_0000L;
    private static final int DATETIME_BYTES = 5;
    private static final int TIMESTAMP_BYTES = 4;
    private static final int TIME_BYTES = 3;
    private static final int DATE_LENGTH = 10;
    private static final int MOMENT_LENGTH = 19;
    private static final int SHORTEST_TIME = 8;
    private static final int DAY = 24 * 60 * 60;
    private static final int CLOCK_BITS = 17;
    /** Days from 0000-03-01 to 1970-01-01. */
    private static final int DAYS_TO_1970 = 719_468;

    private static final int DAYS_OF_400_YEARS = 146_097;

    private AvroTime() {}

    static void date(AvroOutput out, ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        int stored = view.get(at) & 0xff | (view.get(at + 1) & 0xff) << 8 | (view.get(at + 2) & 0xff) << 16;
        out.integer(DATE_LENGTH);
        date(out, stored >> 9, stored >> 5 & 15, stored & 31);
    }

    static void datetime(AvroOutput out, ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        long packed = big(view, at, DATETIME_BYTES) - DATETIME_ZERO;
        int digits = column.digits();
        out.integer(length(MOMENT_LENGTH, digits));
        int months = (int) (packed >> CLOCK_BITS + 5);
        date(out, months / 13, months % 13, (int) (packed >> CLOCK_BITS) & 31);
        out.octet(' ');
        int clock = (int) packed & (1 << CLOCK_BITS) - 1;
        clock(out, clock >> 12, clock >> 6 & 63, clock & 63);
        fraction(out, view, at + DATETIME_BYTES, digits);
    }

    static void timestamp(AvroOutput out, ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        long seconds = big(view, at, TIMESTAMP_BYTES);
        int digits = column.digits();
        out.integer(length(MOMENT_LENGTH, digits));
        if (seconds == 0) {
            date(out, 0, 0, 0);
        } else {
            day(out, (int) (seconds / DAY));
        }
        out.octet(' ');
        int ofDay = (int) (seconds % DAY);
        clock(out, ofDay / 3600, ofDay / 60 % 60, ofDay % 60);
        fraction(out, view, at + TIMESTAMP_BYTES, digits);
    }

    static void time(AvroOutput out, ChangeColumn column, RowImage image) {
        ByteBuffer view = image.view();
        int at = column.at(image);
        int digits = column.digits();
        int bytes = StoredTime.fractionBytes(digits);
        int bits = Byte.SIZE * bytes;
        long value = big(view, at, TIME_BYTES + bytes) - (TIME_ZERO << bits);
        long size = Math.abs(value);
        int clock = (int) (size >> bits);
        int hours = clock >> 12;
        out.integer(length(SHORTEST_TIME, digits) + (value < 0 ? 1 : 0) + (hours > 99 ? 1 : 0));
        if (value < 0) {
            out.octet('-');
        }
        if (hours > 99) {
            out.octet('0' + hours / 100);
        }
        clock(out, hours % 100, clock >> 6 & 63, clock & 63);
        micros(out, (size & (1L << bits) - 1) * StoredTime.microsOfUnit(bytes), digits);
    }

    private static int length(int whole, int digits) {
        return digits == 0 ? whole : whole + 1 + digits;
    }

    /** Writes the date of a number of days since 1970, by counting years from March on. */
    private static void day(AvroOutput out, int since1970) {
        int days = since1970 + DAYS_TO_1970;
        int era = days / DAYS_OF_400_YEARS;
        int ofEra = days % DAYS_OF_400_YEARS;
        int year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        int ofYear = ofEra - (365 * year + year / 4 - year / 100);
        int month = (5 * ofYear + 2) / 153;
        int day = ofYear - (153 * month + 2) / 5 + 1;
        int fromJanuary = month < 10 ? month + 3 : month - 9;
        date(out, 400 * era + year + (fromJanuary <= 2 ? 1 : 0), fromJanuary, day);
    }

    private static void date(AvroOutput out, int year, int month, int day) {
        out.digits(year, 4);
        out.octet('-');
        out.digits(month, 2);
        out.octet('-');
        out.digits(day, 2);
    }

    private static void clock(AvroOutput out, int hours, int minutes, int seconds) {
        out.digits(hours, 2);
        out.octet(':');
        out.digits(minutes, 2);
        out.octet(':');
        out.digits(seconds, 2);
    }

    private static void fraction(AvroOutput out, ByteBuffer view, int at, int digits) {
        int bytes = StoredTime.fractionBytes(digits);
        micros(out, big(view, at, bytes) * StoredTime.microsOfUnit(bytes), digits);
    }

    private static void micros(AvroOutput out, long micros, int digits) {
        if (digits > 0) {
            out.octet('.');
            out.digits((int) micros / StoredTime.microsOfDigit(digits), digits);
        }
    }

    private static long big(ByteBuffer view, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << Byte.SIZE | view.get(at + i) & 0xff;
        }
        return value;
    }
}
