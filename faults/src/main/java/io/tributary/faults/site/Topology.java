package io.tributary.faults.site;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kinds and number of nodes of a test cluster. */
public enum Topology {
    /** One process with all roles. */
    STANDALONE,
    /** A Task and a Dumper. */
    SPLIT,
    /** A relay that reads the first shard, a Task that reads the others, and a Dumper. */
    RELAYS,
    /** A relay, two Tasks and three Dumpers that find each other in ZooKeeper. */
    CLUSTER,
    /** The same in a private network, each node on its own machine. */
    NETWORK;

    /** Whether each node has its own machine. */
    boolean hasNetwork() {
        return this == NETWORK;
    }

    /**
     * Starts the shards and creates the nodes, which are started later.
     *
     * @param lease {@code cluster.lease}
     */
    Nodes open(Path folder, ProxySetup proxies, Duration lease) throws SQLException {
        return switch (this) {
            case STANDALONE -> Standalone.open(folder, proxies);
            case SPLIT -> Split.open(folder, proxies);
            case RELAYS -> Relayed.open(folder, proxies);
            case CLUSTER -> new Clustered(folder, proxies, new LoopbackNetwork(), lease);
            case NETWORK ->
                new Clustered(
                        folder, proxies, new NamespaceNetwork(proxies.network().orElseThrow()), lease);
        };
    }

    /** The topology with this name in lower case. */
    public static Topology named(String name) {
        for (Topology topology : values()) {
            if (topology.toString().equals(name)) {
                return topology;
            }
        }
        throw new IllegalArgumentException("unknown topology " + name + "; expected one of "
                + Arrays.stream(values()).map(Topology::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
