package io.tributary.node.reader;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a reader is.
 *
 * @param executed what is finished, without what is after the oldest unfinished transaction
 * @param finished the last transaction before which all are finished; empty if this run has read none
 * @param oldest when the first transaction that was read and is not finished was committed on its shard, microseconds since 1970; 0: it is not known;
 *     empty: there is none
 * @param newest the same of the last transaction that was read; empty: there is none
 */
public record ReaderPlace(
        GtidSet executed, Optional<Gtid> finished, OptionalLong oldest, OptionalLong newest) {
    /** Nothing is known. */
    public static final ReaderPlace NONE =
            new ReaderPlace(GtidSet.EMPTY, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** The number of the last transaction up to which all are finished; 0 if there is none. */
    long number() {
        if (finished.isPresent()) {
            return finished.get().gno();
        }
        long last = 0;
        for (Sid sid : executed.sids()) {
            last = Math.max(last, executed.last(sid));
        }
        return last;
    }
}
