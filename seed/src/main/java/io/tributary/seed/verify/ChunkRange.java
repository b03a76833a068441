package io.tributary.seed.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A range of row keys.
 *
 * @param after the key before the range; empty: from the first row on
 * @param upTo the last key of the range; empty: to the last row
 */
public record ChunkRange(Optional<RowKey> after, Optional<RowKey> upTo) {
    /** All rows. */
    public static final ChunkRange ALL = new ChunkRange(Optional.empty(), Optional.empty());

    /** The condition for its rows. */
    public String condition() {
        List<String> parts = new ArrayList<>();
        after.ifPresent(key -> parts.add("(" + key.after() + ")"));
        upTo.ifPresent(key -> parts.add("(" + key.upTo() + ")"));
        return parts.isEmpty() ? "TRUE" : String.join(" AND ", parts);
    }

    /** Its part up to a key. */
    public ChunkRange before(RowKey bound) {
        return new ChunkRange(after, Optional.of(bound));
    }

    /** Its part after a key. */
    public ChunkRange behind(RowKey bound) {
        return new ChunkRange(Optional.of(bound), upTo);
    }
}
