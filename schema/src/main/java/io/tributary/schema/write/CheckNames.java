package io.tributary.schema.write;

import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Adds names to an ALTER TABLE that adds checks without a name. The server derives such a name from the existing ones, so the same statement makes
 * other names if checks are added in another order. Foreign keys stay without names, because the index that a server creates for one gets its name.
 */
public final class CheckNames {
    private CheckNames() {}

    /** Whether a statement adds a check without a name. */
    public static boolean areMissing(String alter, SqlMode mode) {
        return !places(SqlScanner.scan(alter, mode)).isEmpty();
    }

    /**
     * The statement with names.
     *
     * @param names of the checks that it adds without a name, in its order
     * @return the statement unchanged if the number of such checks differs
     */
    public static String with(String alter, SqlMode mode, List<String> names) {
        SqlTokens tokens = SqlScanner.scan(alter, mode);
        List<Integer> places = places(tokens);
        if (places.size() != names.size()) {
            return alter;
        }
        Iterator<String> name = names.iterator();
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (int at : places) {
            text.append(alter, from, tokens.start(at))
                    .append(tokens.isWord(at - 1, "CONSTRAINT") ? "" : "CONSTRAINT ")
                    .append(SqlNames.name(name.next()))
                    .append(' ');
            from = tokens.start(at);
        }
        return text.append(alter, from, alter.length()).toString();
    }

    /** The indexes of the words CHECK of items without a name. */
    private static List<Integer> places(SqlTokens tokens) {
        List<Integer> places = new ArrayList<>();
        for (int at = 0; at + 1 < tokens.size(); at++) {
            int next = tokens.isWord(at, "ADD") ? at + (tokens.isWord(at + 1, "CONSTRAINT") ? 2 : 1) : -1;
            if (next > 0 && tokens.isWord(next, "CHECK")) {
                places.add(next);
            }
        }
        return places;
    }
}
