package io.tributary.common.pipeline;

import java.util.function.Consumer;

/** The reading end of a link; one reader. */
public interface Inlet<T> {
    /** The next item, which stays in the link; null if there is none now. */
    T peek();

    /** Removes and returns the next item, which the caller then owns; null if there is none now. */
    T poll();

    /** Removes all items, for example after the writer has ended. */
    default void drain(Consumer<? super T> taker) {
        for (T item = poll(); item != null; item = poll()) {
            taker.accept(item);
        }
    }
}
