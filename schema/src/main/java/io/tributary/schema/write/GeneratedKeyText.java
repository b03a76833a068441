package io.tributary.schema.write;

import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.List;

/** Removes the generated primary key (sql_generate_invisible_primary_key) from the CREATE TABLE that the server logs. */
public final class GeneratedKeyText {
    private GeneratedKeyText() {}

    /** The statement without the column and its key; the unchanged statement if it has none. */
    public static String without(String create, SqlMode mode) {
        if (!create.contains(TableDefinition.GENERATED_KEY)) {
            return create;
        }
        SqlTokens tokens = SqlScanner.scan(create, mode);
        int open = 0;
        while (open < tokens.size() && !tokens.isSign(open, '(')) {
            open++;
        }
        int close = tokens.afterParentheses(open) - 1;
        if (open >= tokens.size() || !isColumn(tokens, open + 1, close)) {
            return create;
        }
        List<String> kept = new ArrayList<>();
        for (int from = open + 1; from < close; ) {
            int to = tokens.find(',', from, close);
            if (!isColumn(tokens, from, to) && !isKey(tokens, from, to)) {
                kept.add(
                        create.substring(tokens.end(from - 1), tokens.start(to)).strip());
            }
            from = to + 1;
        }
        return create.substring(0, tokens.end(open)) + String.join(", ", kept) + create.substring(tokens.start(close));
    }

    private static boolean isColumn(SqlTokens tokens, int from, int to) {
        if (!isName(tokens, from)) {
            return false;
        }
        for (int at = from + 1; at < to; at++) {
            if (tokens.isWord(at, "AUTO_INCREMENT")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKey(SqlTokens tokens, int from, int to) {
        return tokens.areWords(from, "PRIMARY", "KEY")
                && tokens.isSign(from + 2, '(')
                && isName(tokens, from + 3)
                && tokens.isSign(from + 4, ')')
                && to >= from + 5;
    }

    private static boolean isName(SqlTokens tokens, int at) {
        return tokens.isName(at) && tokens.get(at).value().equals(TableDefinition.GENERATED_KEY);
    }
}
