package io.tributary.node.admin;

import java.util.List;

/** Has a running node read its configuration file again. */
@FunctionalInterface
public interface Reloading {
    /**
     * What came of it, by the keys whose values are others now.
     *
     * @param taken count from now on
     * @param waiting count with the next start
     */
    record Outcome(List<String> taken, List<String> waiting) {
        public Outcome {
            taken = List.copyOf(taken);
            waiting = List.copyOf(waiting);
        }
    }

    /**
     * Reads it and takes what can be taken; any thread.
     *
     * @throws io.tributary.common.error.TributaryException CONFIG_INVALID: then the node goes on by what it had
     */
    Outcome reload();
}
