package io.tributary.serve.find;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.Optional;

/**
 * A position in the binlog at which a reader may begin.
 *
 * @param file name of the file
 * @param offset where an event begins, or the end of the readable binlog
 * @param next the transaction that begins there; empty for a position after a cut, or at the end
 * @param commitMicros when that transaction was committed, µs since 1970; 0 without one
 * @param tso everything up to this TSO precedes the position; 0 when that is unknown
 * @param before all GTIDs before the position: the set of a reader by GTID
 * @param maybeEarlier whether the goal may have been in a file that is purged
 */
public record FoundPosition(
        String file,
        long offset,
        Optional<Gtid> next,
        long commitMicros,
        long tso,
        GtidSet before,
        boolean maybeEarlier) {

    /** The same position, at which this transaction begins. */
    FoundPosition with(Gtid transaction, long micros) {
        return new FoundPosition(file, offset, Optional.of(transaction), micros, tso, before, maybeEarlier);
    }

    /** The same position with a TSO. */
    FoundPosition withTso(long known) {
        return new FoundPosition(file, offset, next, commitMicros, known, before, maybeEarlier);
    }
}
