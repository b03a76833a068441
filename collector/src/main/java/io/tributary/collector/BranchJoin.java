package io.tributary.collector;

import java.nio.ByteBuffer;

/**
 * The payload of one transaction as one sequence of events. Several branches are joined statement group by statement group; each branch keeps its own
 * order. If several groups could be next, the order is: a group that deletes, one that updates, one that inserts, then the order of shards
 * (formats.md). So a row that moved to another shard is deleted before it is inserted.
 */
final class BranchJoin implements AutoCloseable {
    private final EventCopy[] copies;
    private final GroupScan[] scans;
    private final boolean[] ended;
    private int current = -1;
    private long left;

    /** The transaction keeps its payloads until this is closed. */
    BranchJoin(OutputTransaction transaction) {
        int branches = transaction.branches();
        boolean joins = branches > 1;
        copies = new EventCopy[branches];
        scans = new GroupScan[joins ? branches : 0];
        ended = new boolean[branches];
        for (int branch = 0; branch < branches; branch++) {
            copies[branch] = new EventCopy(transaction.payload(branch), joins);
            if (joins) {
                scans[branch] = new GroupScan(transaction.payload(branch));
                ended[branch] = !scans[branch].next();
            }
        }
    }

    /**
     * Continues to copy.
     *
     * @param end no byte is written at or after this offset
     * @return the offset after the last byte that was copied; everything that fits is copied, but a header is never split
     */
    int copy(ByteBuffer to, int at, int end) {
        if (scans.length == 0) {
            return at + (int) copies[0].copy(to, at, end, Long.MAX_VALUE);
        }
        while (left > 0 || choose()) {
            int length = (int) copies[current].copy(to, at, end, left);
            if (length == 0) {
                break;
            }
            at += length;
            left -= length;
        }
        return at;
    }

    /** Whether all has been copied. */
    boolean isAtEnd() {
        return scans.length == 0 ? copies[0].isAtEnd() : left == 0 && !choose();
    }

    /** Chooses the branch whose next group is copied next; false when all branches have ended. */
    private boolean choose() {
        int best = -1;
        for (int branch = 0; branch < scans.length; branch++) {
            if (!ended[branch] && (best < 0 || scans[branch].rank() < scans[best].rank())) {
                best = branch;
            }
        }
        if (best < 0) {
            return false;
        }
        current = best;
        left = scans[best].length();
        ended[best] = !scans[best].next();
        return true;
    }

    @Override
    public void close() {
        for (EventCopy copy : copies) {
            copy.close();
        }
        for (GroupScan scan : scans) {
            scan.close();
        }
    }
}
