package io.tributary.dumper;

/**
 * From which file on the journal can be made again: the one with the newest snapshot that readers may read, or the one in which the first
 * change of all stands. Files before it are not needed. Any thread.
 */
final class NeededFiles {
    private int first = JournalLog.NO_FILE;
    private BinlogPlace written = BinlogPlace.NONE; // the end of a snapshot that is not durable yet
    private boolean isWanted;

    /** As a recovery found it. */
    synchronized void from(int number) {
        first = number;
        written = BinlogPlace.NONE;
        isWanted = false;
    }

    /** The first change of all has been placed in this file. */
    synchronized void begin(int number) {
        first = Math.min(first, number);
    }

    /** A whole snapshot has been placed, up to here. */
    synchronized void snapshot(BinlogPlace end) {
        written = end;
        isWanted = false;
    }

    /** The number of the first file that is needed, by how far the binlog may be read; {@link JournalLog#NO_FILE} for none. */
    synchronized int first(BinlogPlace readable) {
        if (written.file() > 0 && written.compareTo(readable) < 0) {
            first = written.file();
            written = BinlogPlace.NONE;
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
