package io.tributary.faults.site;

import java.time.Duration;

/**
 * What a site is made of.
 *
 * @param lease of a leader that is elected
 * @param seed of the load
 */
public record SiteOptions(Topology topology, Duration lease, long seed) {
    /** The same with another load. */
    public SiteOptions seeded(long other) {
        return new SiteOptions(topology, lease, other);
    }
}
