package io.tributary.node.reader;

import io.tributary.common.gtid.GtidSet;
import io.tributary.replay.stream.ReplayTransaction;

/**
 * How far a run is.
 *
 * @param executed what was done at its beginning
 * @param newest the last transaction that was read; null if there is none
 * @param oldest the first transaction that was read and is not finished; null if there is none
 */
public record ReaderPlace(GtidSet executed, ReplayTransaction newest, ReplayTransaction oldest) {
    /** Nothing was read. */
    public static final ReaderPlace NONE = new ReaderPlace(GtidSet.EMPTY, null, null);
}
