package io.tributary.node.command.help;

import io.tributary.common.config.EditDistance;
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
                .filter(name -> EditDistance.of(wrong, name) < far || wrong.length() > 2 && name.startsWith(wrong))
                .sorted(Comparator.comparingInt(name -> EditDistance.of(wrong, name)))
                .limit(MOST)
                .toList();
    }
}
