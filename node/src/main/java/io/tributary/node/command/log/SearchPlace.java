package io.tributary.node.command.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place in the binlog where a search continues.
 *
 * @param gno the transaction's number, from 1
 * @param changes the number of its selected changes that are before the place
 */
record SearchPlace(long gno, long changes) {
    /** Before the first transaction. */
    static final SearchPlace BEGIN = new SearchPlace(0, 0);

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}):([0-9]{1,18})");

    /** @throws IllegalArgumentException for a text that {@link #toString} has not made; "" is the begin */
    static SearchPlace of(String text) {
        if (text.isEmpty()) {
            return BEGIN;
        }
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "expected the place of an earlier answer, such as 17:0, found '" + text + "'");
        }
        return new SearchPlace(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
    }

    @Override
    public String toString() {
        return gno + ":" + changes;
    }
}
