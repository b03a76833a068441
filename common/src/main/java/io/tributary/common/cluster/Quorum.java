package io.tributary.common.cluster;

/**
 * The numbers of Dumpers that acknowledgement and election need.
 *
 * @param dumpers how many the cluster has, running or not
 * @param acknowledgement when a cut counts as acknowledged
 */
public record Quorum(int dumpers, Acknowledgement acknowledgement) {
    public Quorum {
        if (dumpers < 1) {
            throw new IllegalArgumentException("expected at least 1 Dumper, found " + dumpers);
        }
    }

    /** How many Dumpers, including the leader, have an acknowledged cut on disk. */
    public int copies() {
        return acknowledgement.copies(dumpers);
    }

    /** How many followers must have a cut before it is acknowledged. While so many followers copy from a leader, no other node can be elected. */
    public int followers() {
        return copies() - 1;
    }

    /** How many Dumpers must take part in an election, so that at least one of them has every acknowledged cut. */
    public int election() {
        return dumpers - copies() + 1;
    }
}
