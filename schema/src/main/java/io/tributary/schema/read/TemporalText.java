package io.tributary.schema.read;

import io.tributary.schema.definition.SqlType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Converts dates and times to the text that columns show (MySQL manual, "Date and Time Literals"). */
final class TemporalText {
    private static final int NANOS_DIGITS = 9;
    private static final long DAY_SECONDS = 86_400;

    private TemporalText() {}

    /** The text of a constant as a column of DATE, TIME, DATETIME or TIMESTAMP stores it. */
    static String of(String text, SqlType type) {
        try {
            return type.name().equals("time") ? time(text.strip(), type.decimals()) : date(text.strip(), type);
        } catch (NumberFormatException | DateTimeException | IndexOutOfBoundsException e) {
            throw new UnreadableStatementException("not a date or time: " + text);
        }
    }

    private static String date(String text, SqlType type) {
        int point = text.indexOf('.');
        boolean separated = text.chars().filter(c -> !Character.isDigit(c)).count() > (point < 0 ? 0 : 1);
        List<Integer> parts = separated ? separated(text) : together(point < 0 ? text : text.substring(0, point));
        BigDecimal fraction = separated
                ? fractionOf(text, parts)
                : point < 0 ? BigDecimal.ZERO : new BigDecimal("0" + text.substring(point));
        while (parts.size() < 6) {
            parts.add(0);
        }
        if (type.name().equals("date")) {
            return String.format(Locale.ROOT, "%04d-%02d-%02d", parts.get(0), parts.get(1), parts.get(2));
        }
        return dateTime(parts, fraction.setScale(type.decimals(), RoundingMode.HALF_UP), type.decimals());
    }

    private static String dateTime(List<Integer> parts, BigDecimal rounded, int decimals) {
        List<Integer> kept = parts;
        BigDecimal fraction = rounded;
        if (rounded.compareTo(BigDecimal.ONE) >= 0) {
            LocalDateTime next = LocalDateTime.of(
                            parts.get(0), parts.get(1), parts.get(2), parts.get(3), parts.get(4), parts.get(5))
                    .plus(1, ChronoUnit.SECONDS);
            LocalDate day = next.toLocalDate();
            kept = List.of(
                    day.getYear(),
                    day.getMonthValue(),
                    day.getDayOfMonth(),
                    next.getHour(),
                    next.getMinute(),
                    next.getSecond());
            fraction = rounded.subtract(BigDecimal.ONE);
        }
        return String.format(
                        Locale.ROOT,
                        "%04d-%02d-%02d %02d:%02d:%02d",
                        kept.get(0),
                        kept.get(1),
                        kept.get(2),
                        kept.get(3),
                        kept.get(4),
                        kept.get(5))
                + digits(fraction, decimals);
    }

    private static String digits(BigDecimal fraction, int decimals) {
        return decimals == 0
                ? ""
                : fraction.setScale(decimals, RoundingMode.DOWN).toPlainString().substring(1);
    }

    private static List<Integer> separated(String text) {
        List<Integer> parts = new ArrayList<>();
        for (String part : text.split("[^0-9]+", -1)) {
            if (parts.size() < 6 && !part.isEmpty()) {
                parts.add(Integer.parseInt(part));
            }
        }
        if (text.indexOf(firstSeparator(text)) <= 2) {
            parts.set(0, fourDigits(parts.get(0)));
        }
        return parts;
    }

    private static char firstSeparator(String text) {
        int at = 0;
        while (Character.isDigit(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private static BigDecimal fractionOf(String text, List<Integer> parts) {
        int point = text.lastIndexOf('.');
        boolean behindSeconds = parts.size() == 6 && point > text.lastIndexOf(':') && text.indexOf(':') >= 0;
        return behindSeconds && point >= 0 ? new BigDecimal("0" + text.substring(point) + "0") : BigDecimal.ZERO;
    }

    /** YYYYMMDD, YYMMDD, YYYYMMDDhhmmss or YYMMDDhhmmss; the number 0 is the zero date. */
    private static List<Integer> together(String digits) {
        List<Integer> parts = new ArrayList<>();
        String padded = digits.equals("0") ? "00000000" : digits;
        padded = padded.length() % 2 == 0 ? padded : "0" + padded;
        boolean longYear = padded.length() == 8 || padded.length() == 14;
        int year = Integer.parseInt(padded.substring(0, longYear ? 4 : 2));
        parts.add(longYear ? year : fourDigits(year));
        for (int i = longYear ? 4 : 2; i < padded.length(); i += 2) {
            parts.add(Integer.parseInt(padded.substring(i, i + 2)));
        }
        return parts;
    }

    private static int fourDigits(int year) {
        return year + (year < 70 ? 2000 : 1900);
    }

    private static String time(String text, int decimals) {
        boolean negative = text.startsWith("-");
        String rest = negative ? text.substring(1) : text;
        if (rest.matches("\\d{2,4}-\\d{1,2}-\\d{1,2}[ T].*")) {
            rest = rest.substring(rest.indexOf(rest.contains(" ") ? ' ' : 'T') + 1);
        }
        long days = 0;
        int space = rest.indexOf(' ');
        if (space >= 0) {
            days = Long.parseLong(rest.substring(0, space));
            rest = rest.substring(space + 1).strip();
        }
        int point = rest.indexOf('.');
        BigDecimal fraction = point < 0 ? BigDecimal.ZERO : new BigDecimal("0" + rest.substring(point) + "0");
        String whole = point < 0 ? rest : rest.substring(0, point);
        long seconds = days * DAY_SECONDS + (whole.contains(":") || space >= 0 ? clock(whole) : hoursTogether(whole));
        BigDecimal rounded = fraction.setScale(Math.min(decimals, NANOS_DIGITS), RoundingMode.HALF_UP);
        if (rounded.compareTo(BigDecimal.ONE) >= 0) {
            seconds++;
            rounded = rounded.subtract(BigDecimal.ONE);
        }
        boolean zero = seconds == 0 && rounded.signum() == 0;
        return String.format(
                        Locale.ROOT,
                        "%s%02d:%02d:%02d",
                        negative && !zero ? "-" : "",
                        seconds / 3600,
                        seconds / 60 % 60,
                        seconds % 60)
                + digits(rounded, decimals);
    }

    private static long clock(String text) {
        long seconds = 0;
        int parts = 0;
        for (String part : text.split(":", -1)) {
            seconds = seconds * 60 + Long.parseLong(part);
            parts++;
        }
        return parts == 1 ? seconds * 3600 : parts == 2 ? seconds * 60 : seconds;
    }

    /** The last two digits are seconds, the two before them minutes. */
    private static long hoursTogether(String text) {
        long number = Long.parseLong(text);
        return number / 10_000 * 3600 + number / 100 % 100 * 60 + number % 100;
    }
}
