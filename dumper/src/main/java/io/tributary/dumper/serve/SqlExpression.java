package io.tributary.dumper.serve;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Evaluates what clients put into SELECT and SET: literals, variables, and the few functions that they call. One
 * statement's worth; the clock of the node is taken as UTC.
 */
final class SqlExpression {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final SqlReader reader;
    private final SystemVariables variables;
    private final Map<String, String> userVariables;
    private final SessionFacts session;
    private final Clock clock;

    /** What an expression may ask of the session. */
    interface SessionFacts {
        long threadId();

        /** The schema in use; null when none is. */
        String schema();

        String user();

        String newUuid();
    }

    SqlExpression(
            SqlReader reader,
            SystemVariables variables,
            Map<String, String> userVariables,
            SessionFacts session,
            Clock clock) {
        this.reader = reader;
        this.variables = variables;
        this.userVariables = userVariables;
        this.session = session;
        this.clock = clock;
    }

    /** Reads one expression and gives its value. */
    SqlValue value() {
        SqlToken token = reader.take();
        return switch (token.kind()) {
            case STRING -> SqlValue.of(token.text());
            case NUMBER -> new SqlValue(token.text(), true);
            case SYSTEM_VARIABLE -> variables.value(token.text().substring(2));
            case USER_VARIABLE ->
                SqlValue.of(userVariables.get(SystemVariables.key(token.text().substring(1))));
            case WORD -> reader.peek().is("(") ? function(token) : constant(token);
            case SYMBOL -> signed(token);
            default -> throw reader.refusal();
        };
    }

    private SqlValue signed(SqlToken token) {
        if (token.is("-") && reader.peek().kind() == SqlToken.Kind.NUMBER) {
            return new SqlValue("-" + reader.take().text(), true);
        }
        if (token.is("(")) {
            SqlValue inner = value();
            reader.expect(")");
            return inner;
        }
        throw reader.refusal();
    }

    private SqlValue constant(SqlToken token) {
        return switch (token.upper()) {
            case "NULL" -> SqlValue.NULL;
            case "TRUE" -> SqlValue.of(1);
            case "FALSE" -> SqlValue.of(0);
            case "CURRENT_TIMESTAMP" -> SqlValue.of(now());
            case "CURRENT_USER" -> SqlValue.of(session.user());
            case "ON", "OFF", "DEFAULT" -> SqlValue.of(token.text());
            default -> throw SqlRefusal.syntax(token.text());
        };
    }

    private SqlValue function(SqlToken name) {
        List<SqlValue> arguments = arguments();
        return switch (name.upper()) {
            case "VERSION" -> variables.value("version");
            case "UNIX_TIMESTAMP" -> SqlValue.of(clock.epochMicros() / 1_000_000);
            case "NOW", "CURRENT_TIMESTAMP", "UTC_TIMESTAMP", "SYSDATE" -> SqlValue.of(now());
            case "TIMEDIFF" -> SqlValue.of(difference(arguments));
            case "TIME_TO_SEC" -> SqlValue.of(seconds(arguments));
            case "DATABASE", "SCHEMA" -> SqlValue.of(session.schema());
            case "CONNECTION_ID" -> SqlValue.of(session.threadId());
            case "USER", "CURRENT_USER", "SESSION_USER" -> SqlValue.of(session.user());
            case "UUID" -> SqlValue.of(session.newUuid());
            case "GTID_SUBTRACT" ->
                SqlValue.of(gtids(arguments, 0).minus(gtids(arguments, 1)).toString());
            case "GTID_SUBSET" -> SqlValue.of(gtids(arguments, 1).containsAll(gtids(arguments, 0)) ? 1 : 0);
            default -> throw new SqlRefusal(1305, "42000", "FUNCTION " + name.text() + " does not exist");
        };
    }

    private List<SqlValue> arguments() {
        List<SqlValue> values = new ArrayList<>();
        reader.expect("(");
        if (reader.accept(")")) {
            return values;
        }
        do {
            values.add(value());
        } while (reader.accept(","));
        reader.expect(")");
        return values;
    }

    private String now() {
        long micros = clock.epochMicros();
        return LocalDateTime.ofEpochSecond(micros / 1_000_000, 0, ZoneOffset.UTC)
                .format(SECONDS);
    }

    private static String difference(List<SqlValue> arguments) {
        if (arguments.size() != 2
                || arguments.get(0).text() == null
                || arguments.get(1).text() == null) {
            return null;
        }
        long seconds =
                parseTime(arguments.get(0).text()) - parseTime(arguments.get(1).text());
        long size = Math.abs(seconds);
        return "%s%02d:%02d:%02d".formatted(seconds < 0 ? "-" : "", size / 3600, size / 60 % 60, size % 60);
    }

    private static long parseTime(String text) {
        try {
            return LocalDateTime.parse(text, SECONDS).toEpochSecond(ZoneOffset.UTC);
        } catch (java.time.format.DateTimeParseException e) {
            throw new SqlRefusal(1292, "22007", "Incorrect datetime value: '" + text + "'");
        }
    }

    private static long seconds(List<SqlValue> arguments) {
        String text = arguments.isEmpty() ? null : arguments.get(0).text();
        if (text == null || !text.matches("-?\\d+:\\d\\d:\\d\\d")) {
            throw new SqlRefusal(1292, "22007", "Incorrect time value: '" + text + "'");
        }
        String[] parts = text.replace("-", "").split(":", -1);
        long size = Long.parseLong(parts[0]) * 3600 + Long.parseLong(parts[1]) * 60 + Long.parseLong(parts[2]);
        return text.startsWith("-") ? -size : size;
    }

    private static GtidSet gtids(List<SqlValue> arguments, int index) {
        String text = index < arguments.size() ? arguments.get(index).text() : null;
        try {
            return GtidSet.parse(text == null ? "" : text);
        } catch (IllegalArgumentException e) {
            throw new SqlRefusal(1772, "HY000", "Malformed GTID set specification '" + text + "'");
        }
    }
}
