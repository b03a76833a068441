package io.tributary.node.process;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;

/**
 * The environment of a node's role: exists from the start of the node to its end.
 *
 * @param config of the node
 * @param version the program's version, for log and status
 * @param metrics of the node
 * @param clock for times and timeouts
 * @param startup state of the start, with the signal that stops the node
 */
public record NodeEnvironment(ConfigSource config, String version, Metrics metrics, Clock clock, Startup startup) {
    /** The signal that stops the node. */
    public StopSignal stop() {
        return startup.stop();
    }
}
