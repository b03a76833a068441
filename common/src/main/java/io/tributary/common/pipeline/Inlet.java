package io.tributary.common.pipeline;

/** The reading end of a link; one reader. */
public interface Inlet<T> {
    /** The next item, which stays in the link; null when there is none now. */
    T peek();

    /** Takes the next item; its ownership goes to the caller; null when there is none now. */
    T poll();
}
