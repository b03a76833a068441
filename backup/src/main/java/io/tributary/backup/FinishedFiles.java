package io.tributary.backup;

import java.util.List;

/** Where the backup learns of files; the node joins it to those who write them. */
public interface FinishedFiles {
    /** All that are there, oldest first. */
    List<FinishedFile> list();

    /** Says which files the backup still needs: the one of this number and all behind it. What is older may be purged. */
    void need(int number);

    /** Tells, from any thread, that there may be one more; the listener is quick and does not throw. */
    void subscribe(Runnable listener);

    void unsubscribe(Runnable listener);
}
