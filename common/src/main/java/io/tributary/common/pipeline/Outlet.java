package io.tributary.common.pipeline;

/** The writing end of a link; one writer. */
public interface Outlet<T> {
    /** Whether one item may be put now. After true the room stays until the next put. */
    boolean hasRoom();

    /** Puts an item, which the reader then owns. Without room it throws {@link IllegalStateException}. */
    void put(T item);
}
