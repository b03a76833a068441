package io.tributary.sink.route;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which dispatcher a table has: that of the first rule whose pattern matches, otherwise {@link Dispatcher#TABLE}. Immutable. */
public final class DispatchRules {
    /** All tables have {@link Dispatcher#TABLE}. */
    public static final DispatchRules BY_TABLE = new DispatchRules(List.of());

    private final List<Rule> rules;

    private record Rule(Pattern schema, Pattern table, Dispatcher dispatcher) {
        private boolean matches(TableName name) {
            return schema.matcher(name.schema()).matches()
                    && table.matcher(name.table()).matches();
        }
    }

    private DispatchRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules such as {@code shop.orders:key} or {@code shop.log*:columns(a,b)}. In a pattern {@code *} is any characters and {@code ?} is one; letter
     * case does not count.
     *
     * @throws TributaryException CONFIG_INVALID
     */
    public static DispatchRules of(List<String> texts) {
        List<Rule> rules = new ArrayList<>();
        for (String text : texts) {
            int colon = text.indexOf(':');
            String[] parts =
                    colon < 0 ? new String[0] : text.substring(0, colon).strip().split("\\.", -1);
            if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
                throw new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "expected a rule such as schema.table:key or schema.*:columns(a,b), found '" + text + "'");
            }
            rules.add(new Rule(pattern(parts[0]), pattern(parts[1]), Dispatcher.parse(text.substring(colon + 1))));
        }
        return new DispatchRules(rules);
    }

    private static Pattern pattern(String text) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            regex.append(one == '*' ? ".*" : one == '?' ? "." : Pattern.quote(String.valueOf(one)));
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
    }

    /** The dispatcher of a table. */
    public Dispatcher of(TableName table) {
        return rules.stream()
                .filter(rule -> rule.matches(table))
                .map(Rule::dispatcher)
                .findFirst()
                .orElse(Dispatcher.TABLE);
    }
}
