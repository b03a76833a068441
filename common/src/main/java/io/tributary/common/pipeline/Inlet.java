package io.tributary.common.pipeline;

import java.util.function.Consumer;

/** The reading end of a link; one reader. */
public interface Inlet<T> {
    /** The next item, which stays in the link; null when there is none now. */
    T peek();

    /** Takes the next item; its ownership goes to the caller; null when there is none now. */
    T poll();

    /** Takes all that there is, such as once nobody writes any more. */
    default void drain(Consumer<? super T> taker) {
        for (T item = poll(); item != null; item = poll()) {
            taker.accept(item);
        }
    }
}
