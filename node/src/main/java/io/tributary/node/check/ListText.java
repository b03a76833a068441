package io.tributary.node.check;

import java.util.List;

/** A formatter of lists for one line of text. */
final class ListText {
    private static final int MOST = 5;

    private ListText() {}

    /** The first items, and the number of the others. */
    static String of(List<?> all) {
        StringBuilder out = new StringBuilder();
        all.stream()
                .limit(MOST)
                .forEach(each -> out.append(out.isEmpty() ? "" : ", ").append(each));
        return all.size() <= MOST ? out.toString() : out + " and " + (all.size() - MOST) + " more";
    }
}
