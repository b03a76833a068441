package io.tributary.collector.schema;

import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The columns that an ALTER TABLE renames, by RENAME COLUMN and CHANGE; both are reserved words. */
final class ColumnRenames {
    private ColumnRenames() {}

    /** From the old name, in lower case, to the new one. */
    static Map<String, String> of(String statement, SqlMode mode) {
        SqlTokens tokens = SqlScanner.scan(statement, mode);
        Map<String, String> renames = new HashMap<>();
        for (int at = 0; at < tokens.size(); ) {
            if (tokens.isSign(at, '(')) {
                at = tokens.afterParentheses(at);
            } else if (tokens.areWords(at, "RENAME", "COLUMN")) {
                int from = tokens.afterIfExists(at + 2);
                put(renames, tokens, from, from + 2);
                at = from + 3;
            } else if (tokens.isWord(at, "CHANGE")) {
                int from = tokens.afterIfExists(tokens.isWord(at + 1, "COLUMN") ? at + 2 : at + 1);
                put(renames, tokens, from, from + 1);
                at = from + 2;
            } else {
                at++;
            }
        }
        return renames;
    }

    private static void put(Map<String, String> renames, SqlTokens tokens, int from, int to) {
        if (tokens.isName(from) && tokens.isName(to)) {
            String before = tokens.get(from).value();
            String after = tokens.get(to).value();
            if (!before.equalsIgnoreCase(after)) {
                renames.put(before.toLowerCase(Locale.ROOT), after);
            }
        }
    }
}
