package io.tributary.dumper.replicate;

import io.tributary.common.pipeline.Bell;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which followers' acknowledgements count: those that are known to bear witness in the next election. Whoever acts on it holds its monitor, so
 * that nothing is acknowledged by one who did not count any more.
 */
public final class Witnesses {
    private final Bell others = new Bell();
    private Optional<Map<String, String>> counted; // the copy by the follower's name; empty: all

    private Witnesses(Optional<Map<String, String>> counted) {
        this.counted = counted;
    }

    /** All who copy. */
    public static Witnesses all() {
        return new Witnesses(Optional.empty());
    }

    /** Nobody yet. */
    public static Witnesses none() {
        return new Witnesses(Optional.of(Map.of()));
    }

    /** From now on these, and no others; once this returns nothing is acknowledged by another. */
    public synchronized void count(Map<String, String> copies) {
        counted = Optional.of(Map.copyOf(copies));
        others.ring();
    }

    /** The names of those who count; empty while nobody does, or all do. */
    public synchronized Set<String> names() {
        return counted.map(Map::keySet).orElse(Set.of());
    }

    /** Whether a follower with that copy counts now. */
    public synchronized boolean counts(String member, String copy) {
        boolean counts = counted.isEmpty() || copy.equals(counted.get().get(member));
        if (!counts) {
            others.listen();
        }
        return counts;
    }
}
