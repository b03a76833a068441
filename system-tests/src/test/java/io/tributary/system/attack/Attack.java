package io.tributary.system.attack;

/**
 * One of them.
 *
 * @param name for messages
 * @param body returns when it has ended; throws when the node did not answer as it has to
 */
public record Attack(String name, Body body) {
    /** Does harm, as far as it is let. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }
}
