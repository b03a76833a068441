package io.tributary.dumper.write;

import io.tributary.common.pipeline.Bell;

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
    private final Bell writtenOn = new Bell();
    private final Bell toldOf = new Bell();

    /** The writer: everything up to here is written, and is to be forced and told. */
    void put(Written written) {
        newest = written;
        writtenOn.ring();
    }

    /** The newest that was put; null before the first. */
    Written newest() {
        return newest;
    }

    /** The other side: whether something was put that is not told. */
    boolean hasWork() {
        Written now = newest;
        boolean has = now != null && now.number() != told;
        if (!has) {
            writtenOn.listen();
        }
        return has;
    }

    /** The other side: readers know of it. */
    void told(Written written) {
        told = written.number();
        toldOf.ring();
    }

    /** The writer: number of the newest that readers know of. */
    long told() {
        toldOf.listen();
        return told;
    }
}
