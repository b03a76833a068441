package io.tributary.dumper.write;

/**
 * How far the writer has written, for the stage that forces it to disk, and how far that has come. One thread on either side; neither
 * waits.
 */
final class WrittenEnd {
    /**
     * What the file holds now.
     *
     * @param number of bytes written in all, by which two are compared
     * @param cutEnd where its newest cut ends; 0 while none was written
     * @param gno number of the newest transaction before that cut
     * @param cut its number
     * @param isLast whether these are the file's last bytes
     */
    record Written(OutputFile file, long number, long cutEnd, long gno, long cut, boolean isLast) {}

    private volatile Written newest;
    private volatile long told;

    /** The writer: everything up to here is written, and is to be forced and told. */
    void put(Written written) {
        newest = written;
    }

    /** The newest that was put; null before the first. */
    Written newest() {
        return newest;
    }

    /** The other side: readers know of it. */
    void told(Written written) {
        told = written.number();
    }

    /** Number of the newest that readers know of. */
    long told() {
        return told;
    }
}
