package io.tributary.collector.order.tso;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard that is to leave in `tso` order. It leaves at a round if everything before that round in its log has been processed, so that none of its
 * branches is open, and if nothing was logged since the previous round. Both rounds must begin after the request to leave.
 */
final class TsoLeavingShard {
    private final long afterRound;
    private long logged = -1;
    private boolean isQuiet;
    private boolean isProcessed = true;

    TsoLeavingShard(long afterRound) {
        this.afterRound = afterRound;
    }

    /**
     * A round of the shard has been processed.
     *
     * @param processed all GTIDs of the shard that have been processed
     */
    boolean mayLeaveAt(Token round, GtidSet processed) {
        if (round.round() <= afterRound) {
            return false;
        }
        GtidSet before = round.before().executed();
        isQuiet = logged >= 0 && before.count() == logged + 1; // only the previous round
        isProcessed = processed.containsAll(before);
        logged = before.count();
        return isQuiet && isProcessed;
    }

    /** The reasons why it cannot leave yet, as text. */
    List<String> hindrances() {
        List<String> hindrances = new ArrayList<>();
        if (!isProcessed) {
            hindrances.add(
                    "branches are prepared there and not decided: tributary xa list shows them; run XA COMMIT or XA"
                            + " ROLLBACK for each there. If it shows none, the last branch there was rolled back: the"
                            + " shard can leave after the next transaction that has a TSO and commits, on any shard");
        }
        if (!isQuiet) {
            hindrances.add("transactions are still logged there: no round was received after the last one");
        }
        return hindrances;
    }
}
