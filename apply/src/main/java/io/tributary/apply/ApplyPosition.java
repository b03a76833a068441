package io.tributary.apply;

import io.tributary.common.gtid.GtidSet;
import io.tributary.replay.stream.ReplayTransaction;

/**
 * How far a run is.
 *
 * @param executed what the target had executed at its beginning
 * @param newest the last transaction that was passed on to the sessions; null if there is none
 * @param oldest the first transaction that was passed on and has not committed; null if there is none
 */
public record ApplyPosition(GtidSet executed, ReplayTransaction newest, ReplayTransaction oldest) {
    /** Nothing was read. */
    public static final ApplyPosition NONE = new ApplyPosition(GtidSet.EMPTY, null, null);
}
