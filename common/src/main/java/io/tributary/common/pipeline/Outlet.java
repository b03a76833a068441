package io.tributary.common.pipeline;

/** The writing end of a link; one writer. */
public interface Outlet<T> {
    /** Whether one item may be put now. Room that was asked for stays until the next put. */
    boolean hasRoom();

    /** Puts an item; its ownership goes over to the reader. Without room this is an {@link IllegalStateException}. */
    void put(T item);
}
