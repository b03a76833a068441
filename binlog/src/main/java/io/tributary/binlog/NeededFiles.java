package io.tributary.binlog;

import io.tributary.binlog.file.FileOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The first file that is needed to rebuild the journal: the newest one with a complete snapshot followed by a cut that readers may read, or
 * the one with the first change of all. Files before it are not needed. Any thread.
 */
final class NeededFiles {
    private final Deque<FileOffset> snapshots = new ArrayDeque<>(); // ends of snapshots that may not be readable yet
    private int first = JournalLog.NO_FILE;
    private boolean isRequested;

    /** Sets what a recovery found. */
    synchronized void from(JournalStart start) {
        first = start.file();
        snapshots.clear();
        start.newer().ifPresent(snapshots::add);
        isRequested = false;
    }

    /** Copies the state of another instance, which nobody uses any more. */
    void from(NeededFiles other) {
        int file;
        Optional<FileOffset> newer;
        synchronized (other) {
            file = other.first;
            newer = Optional.ofNullable(other.snapshots.peekLast());
        }
        from(new JournalStart(file, newer));
    }

    /** Records that the first change of all was placed in this file. */
    synchronized void begin(int number) {
        first = Math.min(first, number);
    }

    /** Records that a complete snapshot was placed, and the cut that ends here. */
    synchronized void snapshot(FileOffset end) {
        snapshots.add(end);
        isRequested = false;
    }

    /**
     * Number of the first file that is needed; {@link JournalLog#NO_FILE} for none.
     *
     * @param readable end of what readers may read
     */
    synchronized int first(FileOffset readable) {
        while (!snapshots.isEmpty() && snapshots.peek().compareTo(readable) <= 0) {
            int number = snapshots.poll().file();
            first = first == JournalLog.NO_FILE ? number : Math.max(first, number);
        }
        return first;
    }

    /** Requests that the next file begins with a snapshot. */
    synchronized void request() {
        isRequested = true;
    }

    synchronized boolean isRequested() {
        return isRequested;
    }
}
