package io.tributary.binlog.replicate;

/**
 * The identity of a binlog that is copied: leader and follower must have the same.
 *
 * @param cluster {@code cluster.id}
 * @param name {@code binlog.name}: the files refer to each other with it
 */
public record LogIdentity(String cluster, String name) {
    /** Version of the protocol. */
    public static final int VERSION = 1;

    @Override
    public String toString() {
        return "binlog " + name + " of cluster " + cluster;
    }
}
