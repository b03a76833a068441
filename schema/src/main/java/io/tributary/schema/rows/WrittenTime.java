package io.tributary.schema.rows;

import io.tributary.schema.rows.convert.StoredTime;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A date or time in a literal (MySQL manual, "Date and Time Literals"). */
record WrittenTime(boolean isNegative, int year, int month, int day, int hour, int minute, int second, int micros) {
    private static final Pattern FRACTION = Pattern.compile("(.*?)(?:\\.(\\d*))?", Pattern.DOTALL);
    private static final Pattern TIME = Pattern.compile("(-?)(?:(\\d+) +)?(\\d+)(?::(\\d+))?(?::(\\d+))?");
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final Pattern COMPACT = Pattern.compile("(-?)(\\d+)");

    /** The zero date. */
    WrittenTime() {
        this(false, 0, 0, 0, 0, 0, 0, 0);
    }

    boolean isZero() {
        return year == 0 && month == 0 && day == 0 && hour == 0 && minute == 0 && second == 0 && micros == 0;
    }

    /** A DATE uses the day of a DATETIME that is rounded to whole seconds. */
    static WrittenTime date(String text) {
        return datetime(text).rounded(0);
    }

    static WrittenTime datetime(String text) {
        Matcher written = fraction(text);
        String whole = written.group(1);
        List<Integer> numbers = new ArrayList<>();
        if (whole.matches("\\d+")) {
            compact(whole, numbers);
        } else {
            List<String> parts =
                    DIGITS.matcher(whole).results().map(MatchResult::group).toList();
            parts.forEach(part -> numbers.add(Integer.parseInt(part)));
            if (!parts.isEmpty() && parts.get(0).length() <= 2) {
                numbers.set(0, fullYear(numbers.get(0)));
            }
        }
        while (numbers.size() < 6) {
            numbers.add(0);
        }
        int micros = micros(written.group(2));
        WrittenTime time = new WrittenTime(
                false,
                numbers.get(0),
                numbers.get(1),
                numbers.get(2),
                numbers.get(3),
                numbers.get(4),
                numbers.get(5),
                micros % StoredTime.MICROS);
        return micros == StoredTime.MICROS ? time.plusSecond() : time;
    }

    /** YYMMDD, YYYYMMDD, YYMMDDhhmmss or YYYYMMDDhhmmss; fewer digits are a number with leading zeros. */
    private static void compact(String digits, List<Integer> numbers) {
        String text = digits;
        if (text.matches("0+")) {
            return;
        }
        int wanted = text.length() <= 6 ? 6 : text.length() <= 8 ? 8 : text.length() <= 12 ? 12 : 14;
        text = "0".repeat(Math.max(0, wanted - text.length())) + text;
        int at = wanted == 8 || wanted == 14 ? 4 : 2;
        int year = Integer.parseInt(text.substring(0, at));
        numbers.add(at == 2 ? fullYear(year) : year);
        while (at + 2 <= text.length()) {
            numbers.add(Integer.parseInt(text.substring(at, at + 2)));
            at += 2;
        }
    }

    private static int fullYear(int year) {
        return year < 70 ? 2000 + year : 1900 + year;
    }

    static WrittenTime time(String text) {
        Matcher parts = fraction(text);
        String whole = parts.group(1);
        int micros = micros(parts.group(2));
        Matcher compact = COMPACT.matcher(whole);
        Matcher matcher = TIME.matcher(whole);
        WrittenTime time;
        if (compact.matches()) {
            int number = Integer.parseInt(compact.group(2));
            time = new WrittenTime(
                    compact.group(1).equals("-"), 0, 0, 0, number / 10_000, number / 100 % 100, number % 100, 0);
        } else if (matcher.matches()) {
            int days = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
            time = new WrittenTime(
                    matcher.group(1).equals("-"),
                    0,
                    0,
                    0,
                    days * 24 + Integer.parseInt(matcher.group(3)),
                    matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4)),
                    matcher.group(5) == null ? 0 : Integer.parseInt(matcher.group(5)),
                    0);
        } else {
            throw new IllegalArgumentException("not a time");
        }
        return time.withMicros(micros);
    }

    private static Matcher fraction(String text) {
        Matcher matcher = FRACTION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a date or time");
        }
        return matcher;
    }

    /** 0..1,000,000: the seventh digit rounds. */
    private static int micros(String digits) {
        if (digits == null || digits.isEmpty()) {
            return 0;
        }
        String seven = (digits + "0000000").substring(0, 7);
        return (Integer.parseInt(seven) + 5) / 10;
    }

    private WrittenTime withMicros(int all) {
        WrittenTime time = new WrittenTime(isNegative, year, month, day, hour, minute, second, all % StoredTime.MICROS);
        return all == StoredTime.MICROS ? time.plusSecond() : time;
    }

    /** A DATETIME rounded to this number of fraction digits. */
    WrittenTime rounded(int digits) {
        return roundedTime(digits);
    }

    /** A TIME or DATETIME rounded to this number of fraction digits, halves away from zero. */
    WrittenTime roundedTime(int digits) {
        int unit = StoredTime.microsOfDigit(digits);
        int up = (micros + unit / 2) / unit * unit;
        return withMicros(up);
    }

    private WrittenTime plusSecond() {
        if (month == 0) {
            int seconds = hour * 3600 + minute * 60 + second + 1;
            return new WrittenTime(isNegative, year, 0, day, seconds / 3600, seconds / 60 % 60, seconds % 60, micros);
        }
        LocalDateTime next =
                LocalDateTime.of(year, month, day, hour, minute, second).plusSeconds(1);
        return new WrittenTime(
                false,
                next.getYear(),
                next.getMonthValue(),
                next.getDayOfMonth(),
                next.getHour(),
                next.getMinute(),
                next.getSecond(),
                micros);
    }
}
