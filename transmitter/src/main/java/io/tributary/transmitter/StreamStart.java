package io.tributary.transmitter;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The point at which a stream resumes.
 *
 * @param cut the last durable cut; empty = from the start of the shards
 * @param journal the journal's map at that cut: parts and their end ({@link Journal}); called once if the cut is after a change, and read
 *     before any chunk arrives
 */
public record StreamStart(Optional<Cut> cut, Supplier<Iterator<Journal>> journal) {
    boolean hasJournal() {
        return cut.map(Cut::schemaNumber).orElse(0L) > 0;
    }
}
