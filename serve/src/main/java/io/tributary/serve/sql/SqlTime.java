package io.tributary.serve.sql;

import io.tributary.mysql.protocol.MysqlError;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Conversion of times in statements. The clock of the node is treated as UTC. */
public final class SqlTime {
    private static final DateTimeFormatter WRITTEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter READ = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-M-d[ ]['T']H:m[:s")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
            .optionalEnd()
            .appendPattern("]")
            .toFormatter(Locale.ROOT);

    private SqlTime() {}

    /** The text of a time, such as {@code 2026-11-20 12:00:00}. */
    public static String text(long epochMicros) {
        return time(epochMicros).format(WRITTEN);
    }

    private static LocalDateTime time(long epochMicros) {
        long seconds = Math.floorDiv(epochMicros, 1_000_000L);
        int micros = (int) Math.floorMod(epochMicros, 1_000_000L);
        return LocalDateTime.ofEpochSecond(seconds, micros * 1000, ZoneOffset.UTC);
    }

    /**
     * Microseconds since 1970 of a date, or a date and time.
     *
     * @throws SqlRefusal 1292
     */
    public static long micros(SqlValue value) {
        String text = String.valueOf(value.text()).strip();
        String plain = text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
        try {
            LocalDateTime time = plain.indexOf(':') < 0
                    ? LocalDate.parse(plain, DateTimeFormatter.ofPattern("yyyy-M-d", Locale.ROOT))
                            .atStartOfDay()
                    : LocalDateTime.parse(plain, READ);
            Instant instant = time.toInstant(ZoneOffset.UTC);
            return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1000;
        } catch (DateTimeException e) {
            throw new SqlRefusal(MysqlError.ER_TRUNCATED_WRONG_VALUE, "Incorrect datetime value: '" + text + "'");
        }
    }

    /** A time moved by a number of units, such as DAY. */
    public static String moved(SqlValue from, SqlValue amount, String unit) {
        ChronoUnit step = switch (unit.toUpperCase(Locale.ROOT)) {
            case "SECOND" -> ChronoUnit.SECONDS;
            case "MINUTE" -> ChronoUnit.MINUTES;
            case "HOUR" -> ChronoUnit.HOURS;
            case "DAY" -> ChronoUnit.DAYS;
            case "WEEK" -> ChronoUnit.WEEKS;
            case "MONTH" -> ChronoUnit.MONTHS;
            case "YEAR" -> ChronoUnit.YEARS;
            default -> throw SqlRefusal.syntax(unit);
        };
        try {
            return time(micros(from))
                    .plus(Long.parseLong(String.valueOf(amount.text())), step)
                    .format(WRITTEN);
        } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
            throw new SqlRefusal(
                    MysqlError.ER_DATETIME_FUNCTION_OVERFLOW, "Datetime function: datetime field overflow");
        }
    }
}
