package io.tributary.dumper;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * From which file on the journal can be made again: the newest finished one with a whole snapshot that readers may read, or the one in which
 * the first change of all stands. Files before it are not needed. A snapshot in the last file does not count yet, for damage of the last
 * file is cut off. Any thread.
 */
final class NeededFiles {
    private final Deque<Integer> snapshots = new ArrayDeque<>(); // in files that may not be finished yet
    private int first = JournalLog.NO_FILE;
    private boolean isWanted;

    /** As a recovery found it. */
    synchronized void from(int number) {
        first = number;
        snapshots.clear();
        isWanted = false;
    }

    /** The first change of all has been placed in this file. */
    synchronized void begin(int number) {
        first = Math.min(first, number);
    }

    /** A whole snapshot has been placed in this file. */
    synchronized void snapshot(int number) {
        snapshots.add(number);
        isWanted = false;
    }

    /**
     * The number of the first file that is needed; {@link JournalLog#NO_FILE} for none.
     *
     * @param readable number of the file that readers may read last
     */
    synchronized int first(int readable) {
        while (!snapshots.isEmpty() && snapshots.peek() < readable) {
            first = Math.max(first == JournalLog.NO_FILE ? 0 : first, snapshots.poll());
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
