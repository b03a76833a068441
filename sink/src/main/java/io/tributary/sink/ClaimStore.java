package io.tributary.sink;

/** Stores messages that are too large for Kafka. Thread-safe. */
@FunctionalInterface
public interface ClaimStore {
    /** Where no message is stored. */
    ClaimStore NONE = (name, content) -> {
        throw new IllegalStateException("there is no store of large messages");
    };

    /**
     * Stores an object, or replaces the one of this name; it is durable on return. May block.
     *
     * @param name letters, digits, '-' and '.'; the same again if the same message is sent again
     * @return its location, as consumers read it
     * @throws io.tributary.common.error.TributaryException if it cannot be stored
     */
    String put(String name, byte[] content);
}
