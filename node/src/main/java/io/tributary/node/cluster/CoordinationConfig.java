package io.tributary.node.cluster;

import io.tributary.common.config.Key;
import java.time.Duration;
import java.util.Optional;

/**
 * The keys of a node as part of a cluster.
 *
 * @param node its name; empty = derived from host and port of its admin endpoint
 * @param host at which the other nodes reach it
 * @param zookeeper the cluster's ZooKeeper
 * @param timeouts of its leader
 * @param dumpers how many Dumpers the cluster has
 */
public record CoordinationConfig(
        @Key(
                value = "node.id",
                about = "Name of this node, unique in its cluster. Not set: derived from host and admin port.")
        Optional<String> node,

        @Key(
                value = "node.host",
                about = "Host at which the other nodes reach this one; not set: the host of each listen address.")
        Optional<String> host,

        ZooKeeperConfig zookeeper,

        Timeouts timeouts,

        @Key(
                value = "cluster.dumpers",
                byDefault = "1",
                min = "1",
                max = "99",
                about =
                        "How many Dumpers the cluster has, running or not; the same value on all of them. It determines how many candidates"
                                + " an election needs.")
        int dumpers) {
    /**
     * The timeouts of a leader.
     *
     * @param lease how long a leader acts on one proof that no other node leads
     * @param resign how long a leader stays leader while it cannot do its work
     */
    public record Timeouts(
            @Key(
                    value = "cluster.lease",
                    byDefault = "3s",
                    min = "200ms",
                    max = "1h",
                    about =
                            "How long the leading Dumper acts on one proof that no other node leads; also how long ZooKeeper keeps the session"
                                    + " of a silent node.")
            Duration lease,

            @Key(
                    value = "cluster.resign",
                    byDefault = "5s",
                    min = "200ms",
                    max = "1h",
                    about =
                            "After this long without messages from enough followers, without an answer of its disk or without a connection to"
                                    + " any Task the leading Dumper resigns, if the other Dumpers are enough to continue; at least"
                                    + " cluster.lease and dumper.keepalive. The time doubles after each resignation that has not helped.")
            Duration resign) {}

    /** As {@link Timeouts#lease}. */
    public Duration lease() {
        return timeouts.lease();
    }
}
