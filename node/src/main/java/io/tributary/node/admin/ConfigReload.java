package io.tributary.node.admin;

import java.util.List;

/** The function by which a running node reads its configuration file again. */
@FunctionalInterface
public interface ConfigReload {
    /**
     * The keys whose values have changed.
     *
     * @param taken keys whose new values are in effect now
     * @param waiting keys whose new values take effect with the next start
     */
    record Outcome(List<String> taken, List<String> waiting) {
        public Outcome {
            taken = List.copyOf(taken);
            waiting = List.copyOf(waiting);
        }
    }

    /**
     * Reads the file and applies the changes that are possible at run time; any thread.
     *
     * @throws io.tributary.common.error.TributaryException CONFIG_INVALID: the node keeps its previous configuration
     */
    Outcome reload();
}
