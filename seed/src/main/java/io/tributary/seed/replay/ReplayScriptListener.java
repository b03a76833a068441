package io.tributary.seed.replay;

/** Learns what is not in a replay that is written into a file. */
@FunctionalInterface
public interface ReplayScriptListener {
    /**
     * A statement about a program or account was left out.
     *
     * @param statement its first words, and what it changes
     * @param transaction its number in the stream
     */
    void leftOut(String statement, long transaction);
}
