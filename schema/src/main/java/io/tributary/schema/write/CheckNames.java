package io.tributary.schema.write;

import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Puts names into an ALTER TABLE that adds checks without one. The server makes such a name of those that are there, so the same statement makes other
 * names where checks come in another order. Foreign keys stay without: the index that a server makes for one gets its name.
 */
public final class CheckNames {
    private CheckNames() {}

    /** Whether a statement adds a check without a name. */
    public static boolean areMissing(String alter, SqlMode mode) {
        return !places(SqlScanner.scan(alter, mode)).isEmpty();
    }

    /**
     * The statement with these names.
     *
     * @param names of the checks that it adds without one, in its order
     * @return the statement as it is where it adds more or fewer of them
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
                    .append(CreateTable.quoted(name.next()))
                    .append(' ');
            from = tokens.start(at);
        }
        return text.append(alter, from, alter.length()).toString();
    }

    /** The words CHECK of items that have no name. */
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
