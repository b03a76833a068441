package io.tributary.binlog.write;

import io.tributary.common.pipeline.Wakeup;

/**
 * Passes the written end from the writer to the stage that syncs it to disk, and the published end back. One thread on each side; neither
 * waits.
 */
final class SyncQueue {
    /**
     * The state of the file after a write.
     *
     * @param number number of bytes written in all files; it orders two states
     * @param cutEnd end of the file's newest cut; 0 while it has none
     * @param gno number of the newest transaction before that cut
     * @param cut number of that cut
     * @param commitMicros commit time of the oldest transaction before that cut that is not published, µs since 1970; 0: not known
     * @param isLast whether these are the last bytes of the file
     */
    record Written(OutputFile file, long number, long cutEnd, long gno, long cut, long commitMicros, boolean isLast) {}

    private volatile Written newest;
    private volatile long published;
    private final Wakeup writtenWakeup = new Wakeup();
    private final Wakeup publishedWakeup = new Wakeup();

    /** For the writer: everything up to here is written; it must be synced and published. */
    void put(Written written) {
        newest = written;
        writtenWakeup.ring();
    }

    /** The newest state that was put; null before the first one. */
    Written newest() {
        return newest;
    }

    /** For the syncer: whether a state was put that is not published yet. */
    boolean hasWork() {
        Written now = newest;
        boolean has = now != null && now.number() != published;
        if (!has) {
            writtenWakeup.listen();
        }
        return has;
    }

    /** For the syncer: readers are notified of this state. */
    void publish(Written written) {
        published = written.number();
        publishedWakeup.ring();
    }

    /** For the writer: number of the newest state that readers were notified of. */
    long published() {
        publishedWakeup.listen();
        return published;
    }
}
