package io.tributary.node.admin;

import io.tributary.common.config.EffectiveSetting;
import java.util.List;
import java.util.Optional;

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

    /**
     * The configuration of the running node.
     *
     * @param file the file that it reads
     * @param settings the values that are in use now, without secrets
     * @param secretsChanged secret keys whose values in the file differ from those in use
     * @param problem why the file cannot be read now, or ""
     */
    record Running(String file, List<EffectiveSetting> settings, List<String> secretsChanged, String problem) {
        public Running {
            settings = List.copyOf(settings);
            secretsChanged = List.copyOf(secretsChanged);
        }
    }

    /** The configuration as it is used now; any thread. Empty if it is not known here. */
    default Optional<Running> running() {
        return Optional.empty();
    }
}
