package io.tributary.faults.site;

import java.time.Duration;

/**
 * What a site is made of.
 *
 * @param lease of a leader that is elected
 * @param seed of the load
 * @param hasObjectStore whether the Dumpers back up to an object store, which costs each start of one a second; else to a folder
 */
public record SiteOptions(Topology topology, Duration lease, long seed, boolean hasObjectStore) {
    /** The same with another load. */
    public SiteOptions seeded(long other) {
        return new SiteOptions(topology, lease, other, hasObjectStore);
    }
}
