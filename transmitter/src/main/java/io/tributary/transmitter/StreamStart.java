package io.tributary.transmitter;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a stream resumes.
 *
 * @param cut the last durable one; empty = from the shards' start
 * @param journal the journal's map at that cut: parts and their end ({@link Journal}); asked for once, where the cut is behind a change,
 *     and read before anything arrives
 */
public record StreamStart(Optional<Cut> cut, Supplier<Iterator<Journal>> journal) {
    /** Where there is no journal. */
    public static StreamStart behind(Optional<Cut> cut) {
        return new StreamStart(cut, Collections::emptyIterator);
    }

    boolean hasJournal() {
        return cut.map(Cut::schemaNumber).orElse(0L) > 0;
    }
}
