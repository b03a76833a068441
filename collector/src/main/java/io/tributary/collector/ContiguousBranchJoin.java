package io.tributary.collector;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Does the same as {@link BranchJoin} for transactions whose branches are each in one contiguous buffer, as nearly all are. Statement groups are
 * found in one pass and copied whole. One object is used for many transactions; it allocates nothing for each. For one thread.
 */
final class ContiguousBranchJoin {
    /** After {@link GroupScan}'s ranks: the branch has no more groups. */
    private static final int ENDED = GroupScan.OTHER + 1;

    private Branch[] branches = {new Branch()};
    private int count;

    /** A branch, and its next group. */
    private static final class Branch {
        private ByteBuffer view;
        private int from;
        private int end;
        private int rank;
        /** Offsets in the group of the low bytes of the flags of its rows events. */
        private int[] flagsAt = new int[16];

        private int rows;

        /** Moves to the group after this one. */
        void advance() {
            int limit = view.limit();
            from = end;
            rows = 0;
            rank = from < limit ? GroupScan.OTHER : ENDED;
            boolean ended = false;
            while (end < limit && !ended) {
                if (RowsEvent.isRows(EventHeader.type(view, end))) {
                    rank = Math.min(rank, GroupScan.rankOf(view, end));
                    ended = RowsEvent.endsStatement(view, end);
                    note(end - from + EventCopy.ROWS_FLAGS_AT);
                }
                end = EventHeader.end(view, end);
            }
        }

        private void note(int flags) {
            if (rows == flagsAt.length) {
                flagsAt = Arrays.copyOf(flagsAt, 2 * rows);
            }
            flagsAt[rows++] = flags;
        }

        int copyGroup(ByteBuffer to, int at) {
            to.put(at, view, from, end - from);
            for (int i = 0; i < rows; i++) {
                int flags = at + flagsAt[i];
                to.put(flags, (byte) (to.get(flags) | RowsEvent.NO_FOREIGN_KEY_CHECKS_F));
            }
            return at + end - from;
        }
    }

    /** Starts a transaction, which keeps its payloads until {@link #close}; false if one of its payloads is not contiguous. */
    boolean open(OutputTransaction transaction) {
        int all = transaction.branches();
        while (branches.length < all) {
            int known = branches.length;
            branches = Arrays.copyOf(branches, 2 * known);
            Arrays.setAll(branches, i -> i < known ? branches[i] : new Branch());
        }
        for (count = 0; count < all; count++) {
            ByteBuffer view = transaction.payload(count).contiguousView();
            if (view == null) {
                close();
                return false;
            }
            branches[count].view = view;
        }
        return true;
    }

    /** Seconds since 1970 of its first event, {@code otherwise} if it has none. */
    long timestamp(long otherwise) {
        for (int i = 0; i < count; i++) {
            ByteBuffer view = branches[i].view;
            if (view.remaining() >= EventHeader.LENGTH) {
                return EventHeader.timestamp(view, view.position());
            }
        }
        return otherwise;
    }

    /** Copies the whole transaction and returns the offset after it. */
    int copy(ByteBuffer to, int at) {
        if (count == 1) {
            ByteBuffer view = branches[0].view;
            to.put(at, view, view.position(), view.remaining());
            return at + view.remaining();
        }
        for (int i = 0; i < count; i++) {
            Branch branch = branches[i];
            branch.end = branch.view.position();
            branch.advance();
        }
        int end = at;
        for (Branch first = first(); first.rank != ENDED; first = first()) {
            end = first.copyGroup(to, end);
            first.advance();
        }
        return end;
    }

    /** The branch whose next group is copied next. */
    private Branch first() {
        Branch first = branches[0];
        for (int i = 1; i < count; i++) {
            if (branches[i].rank < first.rank) {
                first = branches[i];
            }
        }
        return first;
    }

    /** Releases the transaction. */
    void close() {
        for (int i = 0; i < count; i++) {
            branches[i].view = null;
        }
        count = 0;
    }
}
