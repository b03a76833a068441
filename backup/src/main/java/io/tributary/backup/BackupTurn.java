package io.tributary.backup;

/** Decides which of several nodes with the same files backs them up. The others only read which files are backed up. */
public interface BackupTurn {
    /** For a single node. */
    BackupTurn ALWAYS = () -> true;

    /** Another node backs up. */
    BackupTurn NEVER = () -> false;

    /** Whether this node backs up. Called again and again by the thread that backs up; may block for a while. */
    boolean isOurs();

    /**
     * Called by the same thread when the store has failed this number of times in a row on this node: it may work on another node.
     *
     * @param times 1 or more
     */
    default void failed(int times) {}
}
