package io.tributary.backup;

import java.util.List;

/** The source of the files to back up; the node connects it to the part that writes them. */
public interface FinishedFiles {
    /** All existing files, oldest first. */
    List<FinishedFile> list();

    /** Sets which files the backup still needs: the one with this number and all after it. Older ones may be purged. */
    void keepFrom(int number);

    /** Adds a listener that is called, from any thread, when there may be another file; it must be quick and not throw. */
    void subscribe(Runnable listener);

    void unsubscribe(Runnable listener);
}
