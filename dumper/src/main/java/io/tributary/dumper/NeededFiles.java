package io.tributary.dumper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * From which file on the journal can be rebuilt: the newest one with a whole snapshot and a cut behind it that readers may read, or the
 * one with the first change of all. Files before it are not needed. Any thread.
 */
final class NeededFiles {
    private final Deque<BinlogPlace> snapshots = new ArrayDeque<>(); // ends of those that may not be readable yet
    private int first = JournalLog.NO_FILE;
    private boolean isWanted;

    /** As a recovery found it. */
    synchronized void from(JournalStart start) {
        first = start.file();
        snapshots.clear();
        start.newer().ifPresent(snapshots::add);
        isWanted = false;
    }

    /** As another one, which nobody uses any more. */
    void from(NeededFiles other) {
        int file;
        Optional<BinlogPlace> newer;
        synchronized (other) {
            file = other.first;
            newer = Optional.ofNullable(other.snapshots.peekLast());
        }
        from(new JournalStart(file, newer));
    }

    /** The first change of all has been placed in this file. */
    synchronized void begin(int number) {
        first = Math.min(first, number);
    }

    /** A whole snapshot has been placed, and the cut that ends here. */
    synchronized void snapshot(BinlogPlace end) {
        snapshots.add(end);
        isWanted = false;
    }

    /**
     * The number of the first file that is needed; {@link JournalLog#NO_FILE} for none.
     *
     * @param readable up to where readers may read
     */
    synchronized int first(BinlogPlace readable) {
        while (!snapshots.isEmpty() && snapshots.peek().compareTo(readable) <= 0) {
            int number = snapshots.poll().file();
            first = first == JournalLog.NO_FILE ? number : Math.max(first, number);
        }
        return first;
    }

    /** The next file is to begin with a snapshot. */
    synchronized void want() {
        isWanted = true;
    }

    synchronized boolean isWanted() {
        return isWanted;
    }
}
