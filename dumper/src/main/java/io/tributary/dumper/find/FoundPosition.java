package io.tributary.dumper.find;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.Optional;

/**
 * A place in the binlog from which a reader may begin.
 *
 * @param file its name
 * @param offset where an event begins, or the end of what is durable
 * @param next the transaction that begins there; empty for a place behind a cut, or at the end
 * @param commitMicros when that was committed, µs since 1970; 0 without one
 * @param tso all up to this TSO stands before the place; 0 where that is not known
 * @param before all GTIDs before it: what a reader by GTID has to name
 * @param maybeEarlier whether what was looked for may have stood in a file that is purged
 */
public record FoundPosition(
        String file,
        long offset,
        Optional<Gtid> next,
        long commitMicros,
        long tso,
        GtidSet before,
        boolean maybeEarlier) {}
