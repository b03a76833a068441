package io.tributary.node.command.help;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the names that a wrong name most likely means. */
final class NearestName {
    private static final int MOST = 2;

    private NearestName() {}

    /** At most two names, the nearest first; none if no name is near. */
    static List<String> to(String wrong, Collection<String> names) {
        int far = Math.max(2, wrong.length() / 3) + 1;
        return names.stream()
                .filter(name -> distance(wrong, name) < far || wrong.length() > 2 && name.startsWith(wrong))
                .sorted(Comparator.comparingInt(name -> distance(wrong, name)))
                .limit(MOST)
                .toList();
    }

    /** Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
