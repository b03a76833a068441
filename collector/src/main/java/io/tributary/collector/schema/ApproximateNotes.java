package io.tributary.collector.schema;

import io.tributary.common.metric.Count;
import java.nio.charset.StandardCharsets;

/**
 * Notes on statements that add columns which each shard fills with its own values; kept in the journal as long as the statements are not complete.
 * For one thread.
 */
final class ApproximateNotes {
    private static final String PREFIX = "a\0";

    private final SchemaJournal map;
    private final Count written = new Count();

    ApproximateNotes(SchemaJournal map) {
        this.map = map;
    }

    /** The number of such statements that have been written; any thread. */
    Count written() {
        return written;
    }

    /** Such a statement has been written. */
    void written(String id, boolean isIncomplete, String note) {
        written.add(1);
        if (isIncomplete) {
            map.put(PREFIX + id, note.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The note on a statement; "" for other statements. */
    String of(String id) {
        byte[] note = map.get(PREFIX + id);
        return note == null ? "" : new String(note, StandardCharsets.UTF_8);
    }

    void forget(String id) {
        map.remove(PREFIX + id);
    }
}
