package io.tributary.collector.order;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard that is to leave in `tso` order: at a round in front of which, in its log, all has been processed, so that none of its
 * branches is open, and nothing was logged since the round before; both rounds were begun after it was to leave.
 */
final class TsoLeaving {
    private final long afterRound;
    private long logged = -1;
    private boolean isQuiet;
    private boolean isProcessed = true;

    TsoLeaving(long afterRound) {
        this.afterRound = afterRound;
    }

    /**
     * A round of the shard has been processed.
     *
     * @param processed all GTIDs of the shard that have been
     */
    boolean mayLeaveAt(Token round, GtidSet processed) {
        if (round.round() <= afterRound) {
            return false;
        }
        GtidSet before = round.before().executed();
        isQuiet = logged >= 0 && before.count() == logged + 1; // the round before alone
        isProcessed = processed.containsAll(before);
        logged = before.count();
        return isQuiet && isProcessed;
    }

    /** What keeps it, in words. */
    List<String> hindrances() {
        List<String> hindrances = new ArrayList<>();
        if (!isProcessed) {
            hindrances.add(
                    "branches are prepared there and not decided: tributary xa list names them; run XA COMMIT or XA"
                            + " ROLLBACK for each there. If it names none, the last one there was rolled back: with the"
                            + " next transaction that has a TSO and commits, on any shard, it can leave");
        }
        if (!isQuiet) {
            hindrances.add("transactions are still logged there: no round has come behind the last one");
        }
        return hindrances;
    }
}
