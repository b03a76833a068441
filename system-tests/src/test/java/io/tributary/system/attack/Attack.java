package io.tributary.system.attack;

/**
 * One attack.
 *
 * @param name the name in messages
 * @param body the code: returns when the attack has ended, throws if the node did not answer correctly
 */
public record Attack(String name, Body body) {
    /** The code of an attack. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }
}
