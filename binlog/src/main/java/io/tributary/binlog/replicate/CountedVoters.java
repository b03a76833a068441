package io.tributary.binlog.replicate;

import io.tributary.common.pipeline.Wakeup;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The followers whose acknowledgements count: those that are known to vote in the next election. A thread that acts on the answer holds the
 * monitor of this object, so that nothing is acknowledged because of a follower that no longer counts.
 */
public final class CountedVoters {
    private final Wakeup changed = new Wakeup();
    private Optional<Map<String, String>> counted; // the copy by the follower's name; empty: all

    private CountedVoters(Optional<Map<String, String>> counted) {
        this.counted = counted;
    }

    /** All followers count. */
    public static CountedVoters all() {
        return new CountedVoters(Optional.empty());
    }

    /** No follower counts yet. */
    public static CountedVoters none() {
        return new CountedVoters(Optional.of(Map.of()));
    }

    /** From now on only these followers count; when this returns, nothing more is acknowledged because of others. */
    public synchronized void count(Map<String, String> copies) {
        counted = Optional.of(Map.copyOf(copies));
        changed.ring();
    }

    /** The names of the followers that count; empty while none does or all do. */
    public synchronized Set<String> names() {
        return counted.map(Map::keySet).orElse(Set.of());
    }

    /** Whether a follower with that copy counts now. */
    public synchronized boolean counts(String member, String copy) {
        boolean counts = counted.isEmpty() || copy.equals(counted.get().get(member));
        if (!counts) {
            changed.listen();
        }
        return counts;
    }
}
