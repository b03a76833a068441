package io.tributary.schema.rows;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value that ADD COLUMN with an expression as default gives to existing rows. An expression is a text in the canonical form of
 * definitions: {@code CURRENT_TIMESTAMP(3)}, {@code curdate()}, {@code _utf8mb4'a'}.
 */
public final class ExpressionValue {
    private static final Pattern MOMENT = Pattern.compile("(?i)(?:CURRENT_TIMESTAMP|now)(?:\\((\\d?)\\))?");
    private static final Pattern TODAY = Pattern.compile("(?i)cur(?:date|rent_date)\\(\\)");
    /** The form of a negative number in definitions. */
    private static final Pattern NEGATIVE = Pattern.compile("-\\(([0-9.]+)\\)");

    private static final int SECONDS = "2024-01-01 00:00:00".length();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd");

    /** JSON in binary: type, count u16, bytes u16. */
    private static final byte[] EMPTY_OBJECT = {5, 0, 0, 0, 0, 0, 0, 4, 0};

    private static final byte[] EMPTY_ARRAY = {5, 0, 0, 0, 2, 0, 0, 4, 0};

    private ExpressionValue() {}

    /** Whether every server that runs the statement, at any time, computes the same value. */
    public static boolean isConstant(String expression) {
        return isEmptyJson(expression) || Literal.parse(literal(expression)) != null;
    }

    private static boolean isEmptyJson(String expression) {
        return expression.equalsIgnoreCase("json_object()") || expression.equalsIgnoreCase("json_array()");
    }

    /** Whether the value depends only on the time of the statement. */
    public static boolean isOfTime(String expression) {
        return MOMENT.matcher(expression).matches() || TODAY.matcher(expression).matches();
    }

    /**
     * The value.
     *
     * @param to the target's table map
     * @param column of the target
     * @param time time of the statement that added the column, in its time_zone; empty = unknown
     * @return unknown if it is neither a constant nor a time
     */
    public static AddedValue of(String expression, TableShape to, int column, Optional<OffsetDateTime> time) {
        if (isEmptyJson(expression) && to.type(column) == ColumnType.MYSQL_TYPE_JSON) {
            return new AddedValue.Stored(
                    (expression.equalsIgnoreCase("json_object()") ? EMPTY_OBJECT : EMPTY_ARRAY).clone());
        }
        if (isConstant(expression)) {
            return StoredValue.of(literal(expression), false, to, column, Optional.empty());
        }
        if (isOfTime(expression) && time.isPresent()) {
            String text = "'" + text(expression, time.get()) + "'";
            return StoredValue.of(
                    text, false, to, column, Optional.of(time.get().getOffset()));
        }
        return new AddedValue.Unknown("its default is not a constant: " + expression);
    }

    private static String literal(String expression) {
        Matcher negative = NEGATIVE.matcher(expression);
        return negative.matches() ? "-" + negative.group(1) : expression;
    }

    /** The text as the server prints it: with the requested digits, the others truncated. */
    private static String text(String expression, OffsetDateTime time) {
        Matcher moment = MOMENT.matcher(expression);
        if (!moment.matches()) {
            return time.format(DAY);
        }
        String asked = moment.group(1);
        int digits = asked == null || asked.isEmpty() ? 0 : Integer.parseInt(asked);
        return time.format(TIME).substring(0, SECONDS + (digits == 0 ? 0 : 1 + digits));
    }
}
