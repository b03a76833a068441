package io.tributary.faults.site;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which nodes a site has. */
public enum Topology {
    /** One process that is everything. */
    STANDALONE,
    /** A Task and a Dumper. */
    SPLIT,
    /** A relay that reads the first shard, a Task that reads the others, and a Dumper. */
    RELAYS,
    /** A relay, two Tasks and three Dumpers that meet in ZooKeeper. */
    CLUSTER,
    /** The same in a private network, each node on a machine of its own. */
    NETWORK;

    /** Whether its nodes are on machines of their own. */
    boolean hasNetwork() {
        return this == NETWORK;
    }

    /**
     * Starts the shards and makes the nodes, which are started later.
     *
     * @param lease of a leader that is elected
     */
    Nodes open(Path folder, Wiring wiring, Duration lease) throws SQLException {
        return switch (this) {
            case STANDALONE -> Standalone.open(folder, wiring);
            case SPLIT -> Split.open(folder, wiring);
            case RELAYS -> Relayed.open(folder, wiring);
            case CLUSTER -> new Clustered(folder, wiring, new LoopbackGround(), lease);
            case NETWORK ->
                new Clustered(folder, wiring, new NetworkGround(wiring.network().orElseThrow()), lease);
        };
    }

    /** By its name in lower case. */
    public static Topology named(String name) {
        for (Topology topology : values()) {
            if (topology.toString().equals(name)) {
                return topology;
            }
        }
        throw new IllegalArgumentException("no topology " + name + "; there are "
                + Arrays.stream(values()).map(Topology::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
