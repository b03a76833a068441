package io.tributary.backup;

/** Whose turn it is to back up, where several nodes have the same files. The one whose turn it is not only looks at what is there. */
public interface BackupTurn {
    /** Of the only node. */
    BackupTurn ALWAYS = () -> true;

    /** Another node backs up. */
    BackupTurn NEVER = () -> false;

    /** Asked again and again by the thread that backs up; may block for a while. */
    boolean isOurs();

    /**
     * Told by the same thread that the store has failed this node so many times in a row: another may be luckier.
     *
     * @param times 1 or more
     */
    default void failed(int times) {}
}
