package io.tributary.faults.site;

import java.time.Duration;

/**
 * The options of a test cluster.
 *
 * @param lease {@code cluster.lease}
 * @param seed seed of the load
 * @param hasObjectStore whether the Dumpers back up to an object store, which adds a second to each of their starts; else to a folder
 */
public record TestClusterOptions(Topology topology, Duration lease, long seed, boolean hasObjectStore) {
    /** A copy with another seed. */
    public TestClusterOptions seeded(long other) {
        return new TestClusterOptions(topology, lease, other, hasObjectStore);
    }
}
