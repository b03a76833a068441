package io.tributary.dumper.replicate;

/**
 * Which binlog is copied: leader and follower must agree.
 *
 * @param cluster {@code cluster.id}
 * @param name {@code binlog.name}: the files name each other by it
 */
public record LogIdentity(String cluster, String name) {
    /** Version of the protocol. */
    static final int VERSION = 1;

    @Override
    public String toString() {
        return "binlog " + name + " of cluster " + cluster;
    }
}
