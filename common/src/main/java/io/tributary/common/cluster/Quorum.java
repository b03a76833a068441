package io.tributary.common.cluster;

/**
 * How many Dumpers it takes.
 *
 * @param dumpers how many the cluster has, whether they run or not
 * @param acknowledgement when a cut counts as acknowledged
 */
public record Quorum(int dumpers, Acknowledgement acknowledgement) {
    public Quorum {
        if (dumpers < 1) {
            throw new IllegalArgumentException("expected at least 1 Dumper, got " + dumpers);
        }
    }

    /** How many have an acknowledged cut on disk, the leader among them. */
    public int copies() {
        return acknowledgement.copies(dumpers);
    }

    /** How many followers, beside the leader, have to have a cut before it is acknowledged. While so many stay with a leader, nobody else can be elected. */
    public int followers() {
        return copies() - 1;
    }

    /** How many have to stand in an election: so many that one of them has every acknowledged cut. */
    public int election() {
        return dumpers - copies() + 1;
    }
}
