package io.tributary.merger;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Token;

/**
 * How the mergers of a tree are joined.
 *
 * @param fanIn largest number of sources of one merger, at least 2
 * @param capacity tokens that a link between mergers holds
 */
public record MergeLinks(int fanIn, int capacity, Clock clock) {
    public MergeLinks {
        if (fanIn < 2) {
            throw new IllegalArgumentException("merge: expected a fan-in of at least 2, found " + fanIn);
        }
    }

    /** A link from a merger to the next one. */
    Link<Token> link(String name) {
        return Link.keyed(name, capacity, clock);
    }
}
