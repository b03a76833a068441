package io.tributary.serve.schema;

import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementToken;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The check of a condition or a SELECT before it is sent to a shard: it may contain only functions of a list, and no words that write, lock
 * or leave the server. In addition, the shard's session is read-only.
 */
public final class StatementWhitelist {
    /** The words that may precede an opening bracket. */
    private static final Set<String> CALLED = Set.of(
            ("AND OR NOT IN ON WHERE SELECT FROM JOIN BY WHEN THEN ELSE CASE AS IF LIKE HAVING DISTINCT UNION ALL EXISTS USING"
                            + " IFNULL NULLIF COALESCE ISNULL CONCAT CONCAT_WS LOWER UPPER LCASE UCASE LEFT RIGHT SUBSTRING SUBSTR"
                            + " SUBSTRING_INDEX LENGTH CHAR_LENGTH CHARACTER_LENGTH TRIM LTRIM RTRIM REPLACE LOCATE INSTR POSITION FIELD"
                            + " FIND_IN_SET COUNT MIN MAX SUM AVG GROUP_CONCAT CAST CONVERT CHAR VARCHAR DECIMAL BINARY ABS ROUND"
                            + " CEILING FLOOR GREATEST LEAST DATABASE SCHEMA VERSION LPAD RPAD INTERVAL COLLATE JSON_VALID JSON_EXTRACT"
                            + " REGEXP RLIKE")
                    .split(" "));

    private static final Set<String> FORBIDDEN = Set.of(
            "INTO OUTFILE DUMPFILE FOR LOCK UPDATE INSERT DELETE REPLACE_INTO CALL DO LOAD HANDLER PROCEDURE EXECUTE WITH TABLE"
                    .split(" "));

    /** Words that begin with a digit and are numbers to MySQL too. MySQL reads {@code 1e0FROM} as a number and a FROM. */
    private static final Pattern NUMBER = Pattern.compile("\\d+[eE]\\d+|0[xX]\\p{XDigit}+");

    /** A control character: two minus signs before it begin a comment. */
    private static final char DELETE = 0x7f;

    private StatementWhitelist() {}

    /**
     * Checks the tokens.
     *
     * @throws SqlRefusal naming the token that is not sent to a shard
     */
    public static void check(List<StatementToken> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            StatementToken token = tokens.get(i);
            String word = token.text().toUpperCase(Locale.ROOT);
            boolean isCalled = i + 1 < tokens.size() && tokens.get(i + 1).is("(");
            switch (token.kind()) {
                case WORD -> {
                    requireOneWord(tokens, i);
                    if (word.startsWith("$")) { // may begin a dollar-quoted text
                        throw SqlRefusal.syntax(token.text());
                    }
                    if (FORBIDDEN.contains(word) || isCalled && (isAfterDot(tokens, i) || !CALLED.contains(word))) {
                        throw refused(token.text());
                    }
                }
                case QUOTED_NAME -> {
                    if (isCalled) {
                        throw refused(token.text());
                    }
                }
                case USER_VARIABLE, SYSTEM_VARIABLE -> throw refused(token.text());
                case SYMBOL -> {
                    char sign = token.text().charAt(0);
                    if (token.is(";") || token.is("?") || token.is("\\") || sign < ' ' || sign == DELETE) {
                        throw SqlRefusal.syntax(token.text());
                    }
                }
                default -> {}
            }
        }
    }

    /** Refuses what MySQL reads as a number followed by a word, as in {@code 1e0FROM}, {@code 1.FROM} or {@code 1.0e0FROM}. */
    private static void requireOneWord(List<StatementToken> tokens, int at) {
        StatementToken word = tokens.get(at);
        boolean isNumber = Character.isDigit(word.text().charAt(0));
        boolean isAfterNumber = at > 0 && endsNumber(tokens.get(at - 1), word.start())
                || at > 1
                        && isAfterDot(tokens, at)
                        && endsNumber(tokens.get(at - 2), tokens.get(at - 1).start());
        if (isAfterNumber || isNumber && !NUMBER.matcher(word.text()).matches()) {
            throw SqlRefusal.syntax(word.text());
        }
    }

    private static boolean endsNumber(StatementToken token, int end) {
        return token.kind() == StatementToken.Kind.NUMBER && token.end() == end;
    }

    private static boolean isAfterDot(List<StatementToken> tokens, int at) {
        return at > 0 && tokens.get(at - 1).is(".");
    }

    private static SqlRefusal refused(String word) {
        return SqlRefusal.unsupported("Tributary does not pass '" + word + "' to a shard");
    }
}
