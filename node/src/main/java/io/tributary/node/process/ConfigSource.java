package io.tributary.node.process;

import io.tributary.common.config.Config;
import java.util.function.Supplier;

/**
 * The configuration of a node.
 *
 * @param started as it was read at the start of the node
 * @param file reads the configuration file again, as it is now
 */
public record ConfigSource(Config started, Supplier<Config> file) {
    /** The keys of one record, as at the start of the node. */
    public <T extends Record> T get(Class<T> keys) {
        return started.get(keys);
    }
}
