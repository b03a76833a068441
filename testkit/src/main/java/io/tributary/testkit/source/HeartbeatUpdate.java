package io.tributary.testkit.source;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement with which Tributary writes the heartbeat row: the values that it sets, and its conditions. */
public record HeartbeatUpdate(List<Term> assignments, List<Term> conditions) {
    /** A condition, such as {@code round < 7}. */
    public record Term(String column, String operator, String value) {}

    private static final Pattern TERM = Pattern.compile("(epoch|round|clock|tso|id) (=|<) (\\w+)");

    /** Parses the statement in the form that the writer of rounds sends. */
    public static HeartbeatUpdate parse(String sql) {
        int where = sql.indexOf(" WHERE ");
        return new HeartbeatUpdate(terms(sql.substring(0, where)), terms(sql.substring(where)));
    }

    private static List<Term> terms(String text) {
        List<Term> terms = new ArrayList<>();
        Matcher matcher = TERM.matcher(text);
        while (matcher.find()) {
            terms.add(new Term(matcher.group(1), matcher.group(2), matcher.group(3)));
        }
        return terms;
    }

    /** The row after the update; unchanged if a condition is false. */
    public RoundTransaction.Row apply(RoundTransaction.Row row) {
        for (Term condition : conditions) {
            long asked = Long.parseUnsignedLong(condition.value());
            long found = value(row, condition.column());
            boolean holds = condition.operator().equals("=") ? found == asked : found < asked;
            if (!holds) {
                return row;
            }
        }
        RoundTransaction.Row after = row;
        for (Term assignment : assignments) {
            long value = assignment.value().equals(assignment.column())
                    ? value(row, assignment.column())
                    : Long.parseUnsignedLong(assignment.value());
            after = switch (assignment.column()) {
                case "epoch" -> new RoundTransaction.Row(value, after.round(), after.clock(), after.tso());
                case "round" -> new RoundTransaction.Row(after.epoch(), value, after.clock(), after.tso());
                case "clock" -> new RoundTransaction.Row(after.epoch(), after.round(), value, after.tso());
                default -> new RoundTransaction.Row(after.epoch(), after.round(), after.clock(), value);
            };
        }
        return after;
    }

    private static long value(RoundTransaction.Row row, String column) {
        return switch (column) {
            case "epoch" -> row.epoch();
            case "round" -> row.round();
            case "clock" -> row.clock();
            case "tso" -> row.tso();
            default -> 1;
        };
    }
}
