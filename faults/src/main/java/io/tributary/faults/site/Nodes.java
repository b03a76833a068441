package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.network.PrivateMachine;
import io.tributary.testkit.proxy.TcpProxy;
import java.util.List;
import java.util.Optional;

/** The shards and nodes of a topology. Who has which role may change. */
interface Nodes extends AutoCloseable {
    LocalCluster cluster();

    /** In the order in which they are started. */
    List<NodeProcess> all();

    /** All that keep files, whether they run or not. */
    List<NodeProcess> dumpers();

    /** Those that have this role now; none where the topology has none. */
    List<NodeProcess> of(Role role);

    /** The one that writes and serves; waited for where one is elected. */
    NodeProcess leader();

    /** The proxy on a link whose ends depend on who has which role now; empty for other links. */
    default Optional<TcpProxy> link(Link link) {
        return Optional.empty();
    }

    /** Such a link as packets, where each node is on a machine of its own; else empty. */
    default Optional<PacketLink> packets(Link link) {
        return Optional.empty();
    }

    /** The machine of its own that a node runs on; empty where there is none. */
    default Optional<PrivateMachine> machine(NodeProcess node) {
        return Optional.empty();
    }

    /** Where the nodes meet; empty where they are told of each other. */
    default Optional<ZooKeeperProcess> zookeeper() {
        return Optional.empty();
    }

    /** Starts all and waits for none. */
    default void launch() {
        all().forEach(NodeProcess::launch);
    }

    /** Ends all of it. */
    @Override
    default void close() {
        cluster().close();
    }
}
