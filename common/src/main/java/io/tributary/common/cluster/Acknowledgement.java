package io.tributary.common.cluster;

/** When a cut counts as acknowledged, so that readers may see it ({@code dumper.ack}). */
public enum Acknowledgement {
    /** Once the leader has it on disk. */
    LEADER,
    /** Once one follower has it on disk too. */
    ONE,
    /** Once more than half of the Dumpers have it on disk. */
    MAJORITY;

    /** How many Dumpers have an acknowledged cut on disk, the leader among them; never more than there are. */
    public int copies(int dumpers) {
        return switch (this) {
            case LEADER -> 1;
            case ONE -> Math.min(2, dumpers);
            case MAJORITY -> dumpers / 2 + 1;
        };
    }
}
