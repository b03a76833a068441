package io.tributary.serve.statement;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;
import io.tributary.serve.sql.StatementToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evaluates the expressions that clients use in SELECT and SET: literals, variables, and a few functions. One instance for one statement. The
 * clock of the node is treated as UTC.
 */
public final class SqlExpression {
    /** The values of one statement are together at most this many times as long as the longest allowed value. */
    private static final int MAX_LONGEST = 4;

    private static final long LONGEST_WAIT_SECONDS = 31_536_000;
    private static final long LONGEST_EXECUTION_MILLIS = 0xffff_ffffL;

    private final SqlReader reader;
    private final SystemVariables variables;
    private final Map<String, String> userVariables;
    private final SessionFacts session;
    private final Clock clock;
    private long characters; // characters of all values

    /** The facts about the session that an expression may use. */
    public interface SessionFacts {
        long threadId();

        /** The schema in use; null when none is. */
        String schema();

        /** The user and the address of the client without its port, such as {@code repl@127.0.0.1}. */
        String user();

        /** The account, such as {@code repl@%}. */
        String account();

        /** What the account may do, as a server's SHOW GRANTS lists it. */
        List<String> grants();

        /** Status variables of this session, such as {@code Ssl_cipher}. */
        Map<String, String> status();

        /** The server version in the session's greeting. */
        String version();

        String newUuid();

        /** The tables that the user may see. */
        TableFilter reads();

        /** Ends the session when it has been idle for that long; empty: the default time. */
        default void idle(Optional<Duration> longest) {}

        /** Sets the maximum duration of each SELECT of the session; empty: the default. */
        default void longest(Optional<Duration> ofStatement) {}

        /** Sets the time zone of the session. */
        default void timeZone(String zone) {}
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

    /** Reads one expression and returns its value: an operand, with intervals added or subtracted. */
    SqlValue value() {
        SqlValue value = operand();
        while (reader.isNext("+", "INTERVAL") || reader.isNext("-", "INTERVAL")) {
            boolean back = reader.next().is("-");
            value = SqlValue.of(interval(value, back));
        }
        return value;
    }

    /** Reads the value of wait_timeout and applies it to the session; a value outside MySQL's bounds is replaced by the nearest bound. */
    void idle() {
        String text = String.valueOf(value().text());
        if (text.equalsIgnoreCase("DEFAULT")) {
            session.idle(Optional.empty());
        } else if (text.matches("-?\\d{1,18}")) {
            long seconds = Math.max(1, Math.min(LONGEST_WAIT_SECONDS, Long.parseLong(text)));
            session.idle(Optional.of(Duration.ofSeconds(seconds)));
        } else {
            throw new SqlRefusal(
                    MysqlError.ER_WRONG_TYPE_FOR_VAR, "Incorrect argument type to variable 'wait_timeout'");
        }
    }

    /** Reads the value of max_execution_time, in milliseconds, and applies it to the session; 0 is no limit of the session. */
    void longest() {
        String text = String.valueOf(value().text());
        if (text.equalsIgnoreCase("DEFAULT")) {
            session.longest(Optional.empty());
        } else if (text.matches("-?\\d{1,18}")) {
            long millis = Math.max(0, Math.min(LONGEST_EXECUTION_MILLIS, Long.parseLong(text)));
            session.longest(millis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis)));
        } else {
            throw new SqlRefusal(
                    MysqlError.ER_WRONG_TYPE_FOR_VAR, "Incorrect argument type to variable 'max_execution_time'");
        }
    }

    /**
     * Applies a value of time_zone to the session.
     *
     * @param word DEFAULT or SYSTEM, or null: the value is read
     */
    void timeZone(String word) {
        String zone = word == null ? value().text() : word;
        session.timeZone(zone == null ? "DEFAULT" : zone);
    }

    private String interval(SqlValue from, boolean back) {
        reader.expect("INTERVAL");
        String amount = String.valueOf(operand().text());
        return SqlTime.moved(from, SqlValue.of(back ? "-" + amount : amount), reader.name());
    }

    private SqlValue operand() {
        SqlValue value = operand(reader.next());
        characters += value.text() == null ? 0 : value.text().length();
        if (characters > MAX_LONGEST * variables.longestValue()) {
            throw new SqlRefusal(
                    MysqlError.ER_CAPACITY_EXCEEDED,
                    "Memory capacity of " + MAX_LONGEST * variables.longestValue()
                            + " bytes for 'the values of one statement' exceeded. Ask for fewer at a time.");
        }
        return value;
    }

    private SqlValue operand(StatementToken token) {
        return switch (token.kind()) {
            case STRING -> SqlValue.of(token.text());
            case NUMBER -> new SqlValue(token.text(), !token.text().contains("."));
            case SYSTEM_VARIABLE -> variables.value(token.text().substring(2));
            case USER_VARIABLE ->
                SqlValue.of(userVariables.get(SystemVariables.key(token.text().substring(1))));
            case WORD -> reader.peek().is("(") ? function(token) : constant(token);
            case SYMBOL -> signed(token);
            default -> throw reader.refusal();
        };
    }

    private SqlValue signed(StatementToken token) {
        if (token.is("-") && reader.peek().kind() == StatementToken.Kind.NUMBER) {
            return new SqlValue("-" + reader.next().text(), true);
        }
        if (token.is("(")) {
            SqlValue inner = value();
            reader.expect(")");
            return inner;
        }
        throw reader.refusal();
    }

    private SqlValue constant(StatementToken token) {
        return switch (token.upper()) {
            case "NULL" -> SqlValue.NULL;
            case "TRUE" -> SqlValue.of(1);
            case "FALSE" -> SqlValue.of(0);
            case "CURRENT_TIMESTAMP" -> SqlValue.of(now());
            case "CURRENT_USER" -> SqlValue.of(session.account());
            case "ON", "OFF", "DEFAULT" -> SqlValue.of(token.text());
            default -> throw SqlRefusal.syntax(token.text());
        };
    }

    /** Reads the arguments of a function and returns its value. */
    SqlValue function(StatementToken name) {
        if (name.is("DATE_SUB") || name.is("DATE_ADD")) {
            return moved(name.is("DATE_SUB"));
        }
        List<SqlValue> arguments = arguments();
        return switch (name.upper()) {
            case "VERSION" -> SqlValue.of(session.version());
            case "UNIX_TIMESTAMP" -> SqlValue.of(clock.epochMicros() / 1_000_000);
            case "NOW", "CURRENT_TIMESTAMP", "UTC_TIMESTAMP", "SYSDATE" -> SqlValue.of(now());
            case "TIMEDIFF" -> SqlValue.of(difference(arguments));
            case "TIME_TO_SEC" -> SqlValue.of(seconds(arguments));
            case "DATABASE", "SCHEMA" -> SqlValue.of(session.schema());
            case "CONNECTION_ID" -> SqlValue.of(session.threadId());
            case "CURRENT_USER" -> SqlValue.of(session.account());
            case "USER", "SESSION_USER", "SYSTEM_USER" -> SqlValue.of(session.user());
            case "CURRENT_ROLE" -> SqlValue.of("NONE");
            case "CONCAT" -> concatenated(arguments);
            case "UUID" -> SqlValue.of(session.newUuid());
            case "GTID_SUBTRACT" ->
                SqlValue.of(gtids(arguments, 0).minus(gtids(arguments, 1)).toString());
            case "GTID_SUBSET" -> SqlValue.of(gtids(arguments, 1).containsAll(gtids(arguments, 0)) ? 1 : 0);
            default ->
                throw new SqlRefusal(MysqlError.ER_SP_DOES_NOT_EXIST, "FUNCTION " + name.text() + " does not exist");
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

    private SqlValue moved(boolean back) {
        reader.expect("(");
        SqlValue from = value();
        reader.expect(",");
        String moved = interval(from, back);
        reader.expect(")");
        return SqlValue.of(moved);
    }

    private SqlValue concatenated(List<SqlValue> arguments) {
        long maxLength = variables.longestValue();
        StringBuilder text = new StringBuilder();
        for (SqlValue argument : arguments) {
            if (argument.text() == null) {
                return SqlValue.NULL;
            }
            text.append(argument.text());
            if (text.length() > maxLength) {
                throw new SqlRefusal(
                        MysqlError.ER_WARN_ALLOWED_PACKET_OVERFLOWED,
                        "Result of concat() was larger than max_allowed_packet (" + maxLength + ") - truncated");
            }
        }
        return SqlValue.of(text.toString());
    }

    private String now() {
        return SqlTime.text(clock.epochMicros());
    }

    private static String difference(List<SqlValue> arguments) {
        if (arguments.size() != 2
                || arguments.get(0).text() == null
                || arguments.get(1).text() == null) {
            return null;
        }
        long seconds = (SqlTime.micros(arguments.get(0)) - SqlTime.micros(arguments.get(1))) / 1_000_000;
        long size = Math.abs(seconds);
        return "%s%02d:%02d:%02d".formatted(seconds < 0 ? "-" : "", size / 3600, size / 60 % 60, size % 60);
    }

    private static long seconds(List<SqlValue> arguments) {
        String text = arguments.isEmpty() ? null : arguments.get(0).text();
        if (text == null || !text.matches("-?\\d{1,9}:\\d\\d:\\d\\d")) {
            throw new SqlRefusal(MysqlError.ER_TRUNCATED_WRONG_VALUE, "Incorrect time value: '" + text + "'");
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
            throw new SqlRefusal(
                    MysqlError.ER_MALFORMED_GTID_SET_SPECIFICATION, "Malformed GTID set specification '" + text + "'");
        }
    }
}
