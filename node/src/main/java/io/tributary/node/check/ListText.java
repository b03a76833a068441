package io.tributary.node.check;

import java.util.List;

/** Lists for a line of text. */
final class Shown {
    private static final int MOST = 5;

    private Shown() {}

    /** The first few, and how many more. */
    static String of(List<?> all) {
        StringBuilder out = new StringBuilder();
        all.stream()
                .limit(MOST)
                .forEach(each -> out.append(out.isEmpty() ? "" : ", ").append(each));
        return all.size() <= MOST ? out.toString() : out + " and " + (all.size() - MOST) + " more";
    }
}
